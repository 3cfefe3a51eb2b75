"""Rooms, seats, games and moves."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "keys",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
    op.create_table(
        "rooms",
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("used", MOMENT, nullable=False),
        sa.Column("language", sa.String(20), nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_rooms"),
    )
    op.create_index("ix_rooms_used", "rooms", ["used"])
    op.create_table(
        "seats",
        sa.Column("room", sa.String(40), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("seat", sa.String(20)),
        sa.Column("joined", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("room", "player", name="pk_seats"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_seats_room", ondelete="CASCADE"),
    )
    op.create_table(
        "games",
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("room", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("language", sa.String(20), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("ended", MOMENT),
        sa.Column("daily", sa.String(10)),
        sa.Column("setup", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON),
        sa.PrimaryKeyConstraint("code", name="pk_games"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_games_room", ondelete="CASCADE"),
    )
    op.create_index("ix_games_room", "games", ["room"])
    op.create_index("ix_games_daily", "games", ["daily", "language"])
    op.create_table(
        "moves",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("made", MOMENT, nullable=False),
        sa.Column("player", sa.String(40)),
        sa.Column("move", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("game", "number", name="pk_moves"),
        sa.ForeignKeyConstraint(["game"], ["games.code"], name="fk_moves_game", ondelete="CASCADE"),
    )
    op.create_index("ix_moves_player", "moves", ["player"])
    op.create_table(
        "keys_seen",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("game", "player", name="pk_keys_seen"),
        sa.ForeignKeyConstraint(
            ["game"], ["games.code"], name="fk_keys_seen_game", ondelete="CASCADE"
        ),
    )
