"""Golden values for parsePythonCalls, computed with Python's own `ast`.

usage: python make-python-calls.py BFCL_v4_multi_turn_base.jsonl python-calls.json
       (the answers file of BFCL's multi-turn base set, and the file to write)

`cases` are texts of our own with what Python reads from them, null where Python refuses the text or it is not a
call of literals. `bfcl` holds counts and one hash over every gold call of the answers file, never its text.
"""

import ast
import hashlib
import json
import sys

CASES = [
    "cd(folder='document')",
    "sort('final_report.pdf')",
    "ls()",
    "ls( )",
    "uber.ride(loc='here', time=600)",
    "a . b(x=1)",
    "f(a=True, b=False, c=None)",
    "f(a=-5, b=+5, c=- 5, d=-0, e=-0.0)",
    "f(1.5, .5, 5., 1e3, 1E-3, 1_000, 1_0.2_5)",
    "f(9007199254740991, 9007199254740993, -123456789012345678901234567890)",
    "f(00, 0)",
    "f(007.5)",
    "f(1e400)",
    "f([1, 2, [3]], (), (1,), (1, 2), (1))",
    "f({'a': {'b': [1, 'x']}, \"c\": None})",
    "f({'a': 1, 'a': 2})",
    "f({'__proto__': 1}, __proto__=2)",
    "f(a=1,)",
    "f([1,], {'a': 1,},)",
    "f(\n  a=1,\n  b='x'\n)",
    "f(a='it\\'s', b=\"say \\\"hi\\\"\", c='tab\\tline\\nnull\\0end')",
    "f('\\x41\\u00e9\\U0001F600\\101\\7', '\\q\\8')",
    "f('a\\\nb')",
    "f(r'\\d+\\'', R\"\\n\", u'x', U'y')",
    "f('''two\nlines 'and' quotes''', \"\"\"x\"\"\", '')",
    "f('grüße 你好 😀')",
    "größe(länge=1)",
    "f(a='x=y, g(z)')",
    "f(1), g(2)",
    "f(1)\ng(2)\n",
    "f(1)\n\ng(2)",
    "[f(1), g(x=2)]",
    "[f(1),]",
    "[]",
    "  [f(1)]  ",
    "f(1),",
    "f(a=1) # comment",
    "f",
    "f(",
    "f(a=1",
    "f(a=1))",
    "f()g()",
    "f() g()",
    "f(a=b)",
    "f(a=g())",
    "f(a=1+1)",
    "f(a=[x for x in y])",
    "f(*args)",
    "f(**kw)",
    "f(a=1, 2)",
    "f(a=1, a=2)",
    "f(b'bytes')",
    "f(f'text')",
    "f({1, 2})",
    "f(1j)",
    "f(012)",
    "f(1__0)",
    "f(1_)",
    "f(1x)",
    "f(.)",
    "f('open)",
    "f('line\nbreak')",
    "f('\\x4')",
    "f('\\U00110000')",
    "f(,)",
    "f(a=)",
    "f(==1)",
    "f(a==1)",
    "f([1 2])",
    "f({'a' 1})",
    "f({'a'})",
    "f.(a=1)",
    ".f(a=1)",
    "f()(a=1)",
    "f[0](a=1)",
    "True(a=1)",
    "f(True1)",
    "f(None.x)",
    "[f(1)",
    "[f(1)]]",
    "[f(1) g(2)]",
    "",
    "1",
    "'f()'",
    "lambda: f()",
]


class Refused(Exception):
    pass


def literal(node):
    if isinstance(node, ast.Constant):
        if node.value is None or type(node.value) in (bool, int, float, str):
            return node.value
    elif isinstance(node, (ast.List, ast.Tuple)):
        return [literal(item) for item in node.elts]
    elif isinstance(node, ast.Dict):
        if all(isinstance(key, ast.Constant) and type(key.value) is str for key in node.keys):
            return {key.value: literal(value) for key, value in zip(node.keys, node.values)}
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = literal(node.operand)
        if isinstance(node.operand, ast.Constant) and type(value) in (int, float):
            return -value if isinstance(node.op, ast.USub) else value
    raise Refused


def call(node):
    if not isinstance(node, ast.Call):
        raise Refused
    parts, target = [], node.func
    while isinstance(target, ast.Attribute):
        parts.append(target.attr)
        target = target.value
    if not isinstance(target, ast.Name):
        raise Refused
    name = ".".join([target.id, *reversed(parts)])
    if any(keyword.arg is None for keyword in node.keywords):
        raise Refused
    return {
        "name": name,
        "arguments": {keyword.arg: literal(keyword.value) for keyword in node.keywords},
        "positional": [literal(argument) for argument in node.args],
    }


def calls(text):
    try:
        text = text.strip(" \t\r\n\f")
        compile(text, "call", "exec")  # refuses what parsing alone lets through, a repeated keyword for one
        body = ast.parse(text).body
        found = []
        for statement in body:
            if not isinstance(statement, ast.Expr):
                raise Refused
            node = statement.value
            if isinstance(node, ast.List) and len(body) == 1:
                found.extend(call(item) for item in node.elts)
            elif isinstance(node, ast.Tuple):
                found.extend(call(item) for item in node.elts)
            else:
                found.append(call(node))
        if not found and text.strip() != "[]":
            raise Refused
        return found
    except (SyntaxError, ValueError, Refused):
        return None


def canonical(value):
    """The text that canonicalJson gives."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{canonical(k)}:{canonical(value[k])}" for k in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        if value.is_integer():
            return str(int(value))
        if value in (float("inf"), float("-inf")):
            return "Infinity" if value > 0 else "-Infinity"
        assert 1e-4 <= abs(value) < 1e16, "Python and JavaScript print this number in different forms"
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def main(answers, output):
    cases = [{"text": text, "calls": c if (c := calls(text)) is None else canonical(c)} for text in CASES]
    strings = [
        text
        for line in open(answers, encoding="utf-8")
        for turn in json.loads(line)["ground_truth"]
        for text in turn
    ]
    read = [calls(text) for text in strings]
    assert all(read), "a gold call that Python cannot read"
    digest = hashlib.sha256("\n".join(map(canonical, read)).encode()).hexdigest()
    bfcl = {
        "texts": len(strings),
        "calls": sum(map(len, read)),
        "keywords": sum(len(c["arguments"]) for group in read for c in group),
        "positional": sum(len(c["positional"]) for group in read for c in group),
        "sha256": digest,
    }
    with open(output, "w", encoding="utf-8") as file:
        json.dump({"cases": cases, "bfcl": bfcl}, file, ensure_ascii=False, indent=1)
        file.write("\n")


main(*sys.argv[1:])
