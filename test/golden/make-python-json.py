"""Golden values for the Python dialect of JSON, computed with Python's own `json`.

usage: python make-python-json.py python-json.json [floats texts]
       (the file to write; how many random floats and texts, by default 150 and 250)

`floats`: [hexadecimal bits, repr]. `texts`: [text, its json.dumps, its json.dumps with sorted keys]; null twice for what
Python refuses.
"""

import json
import random
import struct
import sys

path = sys.argv[1]
float_count, text_count = (int(n) for n in sys.argv[2:4]) if len(sys.argv) > 2 else (150, 250)
random.seed(20)

FLOATS = [0.0, -0.0, 1.0, 0.1, 1e16, 9999999999999998.0, 1e15, 123456789012345680.0, 1e-4, 9.999e-5, 1e-7, 1e22,
          5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 1e21, 1e100, -1e-10, 2.5e-5, 9007199254740993.0,
          float("nan"), float("inf"), float("-inf")]

TEXTS = ["", " ", "null", "true", "false", "NaN", "Infinity", "-Infinity", "-NaN", "nan", "+1", "-", "-0", "0", "00", "01",
         "-01", "1.", ".5", "1.0", "-0.0", "1e5", "1E+5", "1e", "1e400", "-1e400", "1e-400", "12345678901234567890123",
         "1.0e0", "\ufeff1", " \t\n\r1 \t\n\r", "\u00a01", "1\u000b", "\"\"", "\"a", "\"\t\"", "\"\x7f\u0085\u2028\"",
         r'"\ud83d\ude00"', r'"\ud83d"', r'"\ude00\ud83d"', r'"\u12g4"', r'"\u123"', r'"\x41"', r'"\/\b\f\n\r\t\"\\"',
         r'"\u0000\u001f\u007f"', r'"\U0041"', "\"\\\n\"", "'a'", "[]", "[ ]", "[,]", "[1,]", "[1 2]", "[1,2", "[1]]",
         "{}", "{ }", "{,}", "{\"a\":1,}", "{\"a\" : 1 , \"b\":[ ]}", "{a:1}", "{1:1}", "{\"a\"}", "{\"a\":}", "{\"a\":1 \"b\":2}",
         '{"b":1,"a":2,"b":3}', '{"__proto__":1,"2":1,"1":2}', '{"\U0001f600":1,"\uff5e":2,"\ue000":3,"z":4,"Z":5}',
         '{"b":{"d":1,"c":[{"f":1,"e":2}]},"a":0}', '{"ab":1,"a":2,"":3}', "```json\n1\n```", "1 // x", "[NaN,-Infinity]",
         '{"NaN":NaN}', "nul", "nulll", "Infinit", "-Infinityx", "tru", "\u0661", "1\u0661"]


def random_float():
    kind = random.random()
    if kind < 0.4:
        return struct.unpack("<d", random.randbytes(8))[0]
    if kind < 0.7:
        return random.choice([-1, 1]) * random.random() * 10.0 ** random.randint(-9, 20)
    return round(random.uniform(-1e4, 1e4), random.randint(0, 6)) * 10.0 ** random.randint(-8, 18)


def random_string():
    return "".join(random.choice(["a", "b", "\"", "\\", "\n", "\t", "/", "é", "東", "\U0001f600", "\uff5e", "\x01", "\x7f",
                                  "\u2028", "\ud800", "\ufeff"]) for _ in range(random.randint(0, 5)))


def random_value(depth=0):
    kind = random.random()
    if depth < 4 and kind < 0.25:
        return [random_value(depth + 1) for _ in range(random.randint(0, 3))]
    if depth < 4 and kind < 0.55:
        return {random_string(): random_value(depth + 1) for _ in range(random.randint(0, 4))}
    if kind < 0.65:
        return random.choice([None, True, False])
    if kind < 0.75:
        return random.randint(-10 ** random.randint(1, 40), 10 ** 18)
    return random_float() if kind < 0.87 else random_string()


def random_text():
    text = json.dumps(random_value(), ensure_ascii=random.random() < 0.5, indent=random.choice([None, None, 1]))
    if random.random() < 0.5 and text:
        at = random.randrange(len(text))
        extra = random.choice(["", ",", "\"", "\\", "}", "]", "0", "-", "e", ".", " ", "\n", "\\u12", "N", ":", "\x1f"])
        text = text[:at] + extra + text[at + random.randint(0, 1):]
    return text


def read(text):
    try:
        value = json.loads(text)
    except ValueError:
        return [text, None, None]
    return [text, json.dumps(value, ensure_ascii=False), json.dumps(value, ensure_ascii=False, sort_keys=True)]


floats = FLOATS + [random_float() for _ in range(float_count)]
texts = TEXTS + [random_text() for _ in range(text_count)]
golden = {
    "floats": [[struct.pack(">d", value).hex(), repr(value)] for value in floats],
    "texts": [read(text) for text in texts],
}
with open(path, "w", encoding="ascii") as file:
    rows = ",\n".join(f'"{key}": [\n' + ",\n".join(map(json.dumps, part)) + "\n]" for key, part in golden.items())
    file.write("{\n" + rows + "\n}\n")
