import pg from 'pg'
import type { EngineConnection } from './engine-connection.ts'
import { TYPES } from './type-parsers.ts'

/** NULL in the text form of COPY. */
const NULL = '\\N'
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
/** JSON texts remembered while rows are read: equal ones are parsed once. */
const REMEMBERED_MAX = 1_000

type Field = { readonly name: string; readonly parse: (text: string) => unknown }
type RowOf<R> = new (line: string) => R

/**
 * Reads many rows by COPY, one line of text each, while the server produces the next ones: the library's value by value parsing
 * costs several times as much and delays a restart. A row keeps its line and parses a column on access:
 * most columns are never read until their row changes. Parsed `json` values may be shared by rows: never write to them.
 * @param table name with its schema
 * @param first columns read from every row: they come first in its line, which is not split any further for them
 * @param rest  SQL after FROM table: conditions and order
 * @param take  receives each row as it arrives, in order
 * @throws the first error of `take`, once all rows have passed
 */
export async function readCopied<R extends object>(
  { client }: Pick<EngineConnection, 'client'>,
  table: string,
  first: readonly (keyof R & string)[],
  rest: string,
  take: (row: R) => void,
): Promise<void> {
  const { fields } = await client.query(`SELECT * FROM ${table} LIMIT 0`)
  const others = fields.filter(({ name }) => !first.includes(name as never)).map(({ name }) => name)
  const names = [...first, ...others]
  const types = new Map(fields.map(({ name, dataTypeID }) => [name, dataTypeID]))
  const shape = names.map((name) => ({ name, parse: parserOf(types.get(name)!) }))
  const Row = rowClass<R>(shape, first.length)
  const text = `COPY (SELECT ${names.join(', ')} FROM ${table} ${rest}) TO STDOUT`
  await new Promise<void>((resolve, reject) => {
    const copy = new CopyOut(text, (line) => take(new Row(line)))
    const done = (error: Error | null | undefined) => (error ? reject(error) : resolve())
    client.query(Object.assign(copy, { callback: (error: Error | null) => done(error ?? copy.failed) }))
  })
}

/** COPY ... TO STDOUT inside a pipeline. */
class CopyOut extends pg.Query {
  failed: Error | null = null
  readonly #take: (line: string) => void

  constructor(text: string, take: (line: string) => void) {
    super(text)
    this.#take = take
  }

  /** Takes one row with its line end. An error is kept until the end: the connection must be read that far. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.failed !== null) return
    try {
      this.#take(chunk.toString('utf8', 0, chunk.length - 1))
    } catch (error) {
      this.failed = error as Error
    }
  }
}

/**
 * Creates a row class with a getter per column. Only the line read last keeps its split values, because rows are mostly read
 * one at a time.
 */
function rowClass<R>(shape: readonly Field[], first: number): RowOf<R> {
  let last = { line: '', values: [] as readonly string[] }
  const valueAt = (line: string, n: number): string => {
    if (last.line !== line || last.values.length <= n) {
      last = { line, values: line.split('\t', n < first ? first : shape.length) }
    }
    return last.values[n]!
  }
  class CopiedRow {
    readonly line: string

    constructor(line: string) {
      this.line = line
    }
  }
  for (const [n, { name, parse }] of shape.entries()) {
    const get = function (this: CopiedRow): unknown {
      const value = valueAt(this.line, n)
      return value === NULL ? null : parse(value)
    }
    Object.defineProperty(CopiedRow.prototype, name, { get, enumerable: true })
  }
  return CopiedRow as unknown as RowOf<R>
}

function parserOf(type: number): Field['parse'] {
  const parse = TYPES.getTypeParser(type) as Field['parse']
  if (type !== pg.types.builtins.JSON) return (text) => parse(plain(text))
  const remembered = new Map<string, unknown>()
  return (text) => {
    const known = remembered.get(text)
    if (known !== undefined) return known
    const value = parse(plain(text))
    if (remembered.size < REMEMBERED_MAX) remembered.set(text, value)
    return value
  }
}

/** Reverses the escaping of COPY. */
function plain(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/gs, (_, letter: string) => ESCAPED[letter] ?? letter) : text
}
