import type { EngineConnection } from './engine-connection.ts'
import { TYPES } from './type-parsers.ts'

/** Between two values, and for one that is null: no text of ours has control characters, and JSON may have none. */
const [BETWEEN, NULL] = ['\u001f', '\u001e']

type Field = { readonly name: string; readonly parse: (text: string) => unknown }

/**
 * Many rows of many columns, each sent as one text and taken apart here: the library's way of a value at a time costs several times as
 * much as the server's work, and a restart waits for it.
 * @param table with its schema
 * @param rest  what follows FROM the table: conditions and order
 */
export async function readPacked<R extends object>(
  { client }: Pick<EngineConnection, 'client'>,
  table: string,
  rest: string,
): Promise<R[]> {
  const { fields } = await client.query(`SELECT * FROM ${table} LIMIT 0`)
  const shape = fields.map(({ name, dataTypeID }): Field => ({ name, parse: TYPES.getTypeParser(dataTypeID) as never }))
  const values = shape.map(({ name }) => `coalesce(${name}::text, chr(${NULL.charCodeAt(0)}))`)
  const packed = `concat_ws(chr(${BETWEEN.charCodeAt(0)}), ${values.join(', ')})`
  const { rows } = await client.query<[string]>({ text: `SELECT ${packed} FROM ${table} ${rest}`, rowMode: 'array' })
  return rows.map(([text]) => unpacked(shape, text) as R)
}

function unpacked(shape: readonly Field[], text: string): Record<string, unknown> {
  const values = text.split(BETWEEN)
  const row: Record<string, unknown> = {}
  for (let n = 0; n < shape.length; n += 1) {
    const value = values[n]!
    row[shape[n]!.name] = value === NULL ? null : shape[n]!.parse(value)
  }
  return row
}
