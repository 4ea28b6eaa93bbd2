"""What memview takes from SQLModel, SQLAlchemy and Pydantic; every module of ours takes it from here.

The modules of those libraries import each other in circles. Threads that enter such a circle at different places at the
same moment see parts of it half made; through one door, the first has it whole before the next comes in.
"""

from __future__ import annotations

import pydantic as pydantic
from sqlalchemy import JSON as JSON
from sqlalchemy import Column as Column
from sqlalchemy import Connection as Connection
from sqlalchemy import LargeBinary as LargeBinary
from sqlalchemy import String as String
from sqlalchemy import create_engine as create_engine
from sqlalchemy.exc import DBAPIError as DBAPIError
from sqlalchemy.orm import configure_mappers as configure_mappers
from sqlalchemy.orm.state import InstanceState as InstanceState
from sqlalchemy.pool import NullPool as NullPool
from sqlalchemy.types import TypeDecorator as TypeDecorator
from sqlmodel import Field as Field
from sqlmodel import SQLModel as SQLModel
from sqlmodel import insert as insert
from sqlmodel import update as update
