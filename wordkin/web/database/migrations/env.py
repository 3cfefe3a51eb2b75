"""What Alembic runs: the migrations, in the transaction of `Database.upgrade`."""

from alembic import context

from wordkin.web.database.models import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()
