"""Studies, who takes part in them, and rounds of studies and games."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "studies",
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("design", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_studies"),
        sa.UniqueConstraint("name", name="uq_studies_name"),
    )
    op.create_table(
        "participants",
        sa.Column("study", sa.String(40), nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("joined", MOMENT, nullable=False),
        sa.Column("clues", sa.JSON, nullable=False),
        sa.Column("shown", MOMENT),
        sa.Column("finished", MOMENT),
        sa.Column("answers", sa.JSON),
        sa.PrimaryKeyConstraint("study", "person", name="pk_participants"),
        sa.ForeignKeyConstraint(
            ["study"], ["studies.code"], name="fk_participants_study", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_participants_person", "participants", ["person"])
    op.create_index("ix_participants_joined", "participants", ["joined"])
    op.create_table(
        "rounds",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("source", sa.String(40), nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("made", MOMENT, nullable=False),
        sa.Column("language", sa.String(20), nullable=False),
        sa.Column("board", sa.String(100), nullable=False),
        sa.Column("words", sa.JSON, nullable=False),
        sa.Column("blue", sa.JSON, nullable=False),
        sa.Column("clue", sa.String(100), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("picks", sa.JSON, nullable=False),
        sa.Column("seconds", sa.Float),
        sa.Column("times", sa.JSON),
        sa.PrimaryKeyConstraint("id", name="pk_rounds"),
        sa.UniqueConstraint("source", "person", "board", "clue", "number", name="uq_rounds_source"),
    )
    op.create_index("ix_rounds_person", "rounds", ["person"])
    op.create_index("ix_rounds_made", "rounds", ["made"])
