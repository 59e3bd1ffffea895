/** Statements of a text, without their semicolons, and the text after the last one. */
export type SplitText = { readonly statements: readonly string[]; readonly rest: string }

/** Texts in which a semicolon ends nothing: quotes, doubled inside, dollar quotes and comments. */
const CLOSED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*\n|\/\*[\s\S]*?\*\//y
/** The same without their end: the rest of the text belongs to them. */
const OPEN = /'|"|\$\w*\$|--|\/\*/y

/** Splits text at the semicolons that end a statement. Pure. */
export function splitStatements(text: string): SplitText {
  const statements: string[] = []
  let start = 0
  let at = 0
  while (at < text.length) {
    const closed = lengthAt(CLOSED, text, at)
    if (closed > 0) at += closed
    else if (lengthAt(OPEN, text, at) > 0) break
    else if (text[at] === ';') {
      statements.push(text.slice(start, at).trim())
      at += 1
      start = at
    } else at += 1
  }
  return { statements: statements.filter((statement) => statement !== ''), rest: text.slice(start).trimStart() }
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}
