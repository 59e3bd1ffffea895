import { readFileSync } from 'node:fs'
import type { Pool } from '../../../trading/store/create-pool.ts'

const SQL = readFileSync(new URL('./describe_schema.sql', import.meta.url), 'utf8')

type Described = { readonly kind: string; readonly name: string; readonly definition: string }

/**
 * The schema as a database really has it, one object a paragraph in a fixed order: tables with their columns and settings,
 * constraints, indexes, triggers, functions. The same text from every server version, so that a file of it can be compared.
 */
export async function dumpSchema(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Described>(SQL)
  const paragraphs = rows.map(({ kind, name, definition }) => `-- ${kind} ${name}\n${definition.trim()}\n`)
  return `-- Made by \`dumpSchema\` from a migrated database; never edited by hand.\n-- returns  nothing; it shows what the migrations make.\n\n${paragraphs.join('\n')}`
}
