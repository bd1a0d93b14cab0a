import { CalibrantError } from "../errors.ts";

/** Below this a key is a placeholder such as `none` or `EMPTY`, which an answer may hold as a word of its own. */
const SECRET_CHARACTERS = 8;

/** An API key that does not show itself. */
export interface Secret {
  /** For the header of a request only. */
  readonly key: string;
  /** A text that people read, such as an error, without the key. */
  hideIn(text: string): string;
  /** A text of a server, such as an answer, without the key, should the server repeat it. */
  hideInAnswer(text: string): string;
}

/**
 * Holds an API key.
 *
 * @param apiKey - null for a server that wants none; it is then sent the word `none`.
 * @param name - where the key comes from, for errors; the key itself is in no error.
 * @throws CalibrantError `option` for a key that no header can carry.
 */
export function createSecret(apiKey: string | null, name: string): Secret {
  if (apiKey === null) return { key: "none", hideIn: (text) => text, hideInAnswer: (text) => text };
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CalibrantError(
      "option",
      `the API key in ${name} must be printable ASCII without spaces: look for a line break or quotes in it`,
    );
  }
  const forms = [...new Set([apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)])];
  const hideIn = (text: string): string => forms.reduce((shown, form) => shown.replaceAll(form, "***"), text);
  const hideInAnswer = apiKey.length < SECRET_CHARACTERS ? (text: string) => text : hideIn;
  return { key: apiKey, hideIn, hideInAnswer };
}
