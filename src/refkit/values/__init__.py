"""How the value of a field is read: TeX text, names, dates. Each module is one grammar, pure and total."""
