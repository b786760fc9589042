"""What is known of an operator without running it: its class, attributes and dictionaries."""

from __future__ import annotations

from types import FunctionType, GetSetDescriptorType
from typing import Any

from penstock.discovery.doubt import Doubt
from penstock.discovery.trusted import STORES, is_unchanging, words
from penstock.discovery.values import OWN, Callee, Store, Value

# Special names that neither change how attributes are found nor how the operator is copied.
PLAIN = words(
    "__annotate__ __annotate_func__ __annotations__ __annotations_cache__ __dataclass_fields__ "
    "__dataclass_params__ __dict__ __doc__ __eq__ __firstlineno__ __hash__ __init__ "
    "__match_args__ __module__ __post_init__ __qualname__ __replace__ __repr__ "
    "__slotnames__ __static_attributes__ __str__ __weakref__"
)
PYTHON_CLASS = 1 << 9  # Py_TPFLAGS_HEAPTYPE
ABSENT = object()


class Subject:
    """An operator, looked at only in ways that run none of its code."""

    def __init__(self, operator: object) -> None:
        self.cls = type(operator)
        self.name = self.cls.__name__
        if issubclass(self.cls, (type, FunctionType)):
            raise Doubt("it is not an object with a method 'process'")
        for cls in self.cls.__mro__[:-1]:
            self._check(cls)
        self._own: dict[str, Any] = object.__getattribute__(operator, "__dict__")
        if type(self._own) is not dict:
            raise Doubt(f"{self.name} replaces its __dict__")

    def process(self) -> FunctionType:
        """The function that is called for each row, with the operator and the row."""
        found = self.attribute("process") if self._in_class("process") is not ABSENT else None
        if not isinstance(found, Callee) or not found.is_method:
            raise Doubt(f"{self.name} has no method 'process(self, row)'")
        code = found.function.__code__
        variadic = code.co_flags & 0x0C or code.co_kwonlyargcount
        if code.co_argcount != 2 or variadic:
            raise Doubt(f"{self.name}.process takes other parameters than (self, row)")
        return found.function

    def attribute(self, name: str) -> Value:
        """What `self.name` is."""
        if name.startswith("__"):
            raise Doubt(f"reads '{name}', a private or special name")
        own, shared = self._own.get(name, ABSENT), self._in_class(name)
        if shared is not ABSENT and not is_unchanging(shared):
            return self._from_class(name, own, shared)
        value = shared if own is ABSENT else own
        if value is ABSENT:
            raise Doubt(f"reads '{name}', which {self.name}.__init__ does not set")
        if is_unchanging(value):
            return OWN
        if type(value) in STORES:
            others = [n for n, v in self._own.items() if v is value and n != name]
            if others:
                raise Doubt(f"uses '{name}', which is the same dictionary as '{others[0]}'")
            return Store(name)
        kind = type(value).__name__
        raise Doubt(f"reads '{name}', a {kind}, which rows of all keys would share")

    def store(self, name: str) -> Any:
        """The dictionary itself."""
        return self._own[name]

    def is_code(self, name: str) -> bool:
        """Whether using an attribute can run code of the class."""
        return not is_unchanging(self._in_class(name)) and self._in_class(name) is not ABSENT

    def is_table(self, name: str) -> bool:
        """Whether a dictionary that nobody changes can be read by any key."""
        store = self.store(name)
        return all(is_unchanging(k) and is_unchanging(v) for k, v in store.items())

    def _check(self, cls: type) -> None:
        if type(cls) is not type:
            raise Doubt(f"{cls.__name__} has the metaclass {type(cls).__name__}")
        if not cls.__flags__ & PYTHON_CLASS:
            raise Doubt(f"{self.name} derives from {cls.__name__}, which has no Python source")
        for name, value in vars(cls).items():
            special = name.startswith("__") and name.endswith("__")
            if special and name not in PLAIN:
                raise Doubt(f"{cls.__name__} defines {name}")
            if name == "__dict__" and not isinstance(value, GetSetDescriptorType):
                raise Doubt(f"{cls.__name__} defines {name}")

    def _in_class(self, name: str) -> Any:
        return next((vars(c)[name] for c in self.cls.__mro__ if name in vars(c)), ABSENT)

    def _from_class(self, name: str, own: object, shared: Any) -> Value:
        plain = type(shared) is FunctionType
        static = type(shared) is staticmethod and type(shared.__func__) is FunctionType
        if own is not ABSENT:
            raise Doubt(f"uses '{name}', which the object and its class both define")
        if plain:
            return Callee(shared, is_method=True)
        if static:
            return Callee(shared.__func__, is_method=False)
        kind = type(shared).__name__
        raise Doubt(f"reads '{name}', a {kind} of the class, which all instances share")
