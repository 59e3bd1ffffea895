"""Client of Tidemark: published indexes, prices and ratings, trading, and reads of a warehouse without a server."""

from ._core import RetryRule
from ._generated.async_client import AsyncClient
from ._generated.operations import CONTRACT_VERSION
from ._generated.sync_client import Client
from ._transports import AsyncHistory, AsyncPages, History, Pages
from .errors import TidemarkError
from .signing import Key, sign_authorization, sign_order
from .stream import Gap, Message, Stream
from .warehouse import Warehouse, open

__all__ = [
    "CONTRACT_VERSION",
    "AsyncClient",
    "AsyncHistory",
    "AsyncPages",
    "Client",
    "Gap",
    "History",
    "Key",
    "Message",
    "Pages",
    "RetryRule",
    "Stream",
    "TidemarkError",
    "Warehouse",
    "open",
    "sign_authorization",
    "sign_order",
]
__version__ = "0.1.0"
