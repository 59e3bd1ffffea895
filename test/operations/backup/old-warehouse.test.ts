import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { tidemark } from '../../support/run-cli.ts'

/**
 * Warehouse of one index and two markets, written by the code of 2026-11-27, before the governance of indexes; and what that code
 * answered to queries as of three instants. Files are base64.
 */
type OldWarehouse = {
  readonly files: Readonly<Record<string, string>>
  readonly answers: readonly { readonly view: TableName; readonly as_of: string; readonly rows: readonly object[] }[]
}
const OLD = new URL('./old-warehouse.json.gz', import.meta.url)

test('a home of an earlier release is read as it answered then, before and after its upgrade, and its audits hold', async () => {
  const { files, answers } = JSON.parse(gunzipSync(readFileSync(OLD)).toString()) as OldWarehouse
  const home = mkdtempSync(join(tmpdir(), 'tidemark-old-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  for (const [path, base64] of Object.entries(files)) {
    mkdirSync(dirname(join(home, 'warehouse', path)), { recursive: true })
    writeFileSync(join(home, 'warehouse', path), Buffer.from(base64, 'base64'))
  }
  const ask = async (...argv: readonly string[]) => {
    const { exit_code, stdout, stderr } = await tidemark([...argv, '--home', home, '--json'])
    expect(exit_code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  const readAll = async (create: boolean) => {
    const warehouse = await openWarehouse({ root: join(home, 'warehouse'), create })
    onTestFinished(() => warehouse.close())
    for (const { view, as_of, rows } of answers) {
      const session = await openReadSession(warehouse, { as_of: toMicros(as_of), tables: [view] })
      const found = await session.query(`SELECT * FROM ${view} ORDER BY ALL`).finally(() => session.close())
      // A view may have got columns since; those of then have the same values.
      expect(JSON.parse(JSON.stringify(found)), `${view} as of ${as_of}`).toMatchObject(rows)
      expect(found).toHaveLength(rows.length)
    }
  }
  expect(answers.reduce((sum, { rows }) => sum + rows.length, 0)).toBe(40)
  await readAll(false)
  const check = await ask('upgrade', '--check')
  expect(check).toMatchObject({ ok: true, reversible: false, space_needed_bytes: 0, refusals: [] })
  const changed = check.changes.map(({ change, name }: { change: string; name: string }) => `${change} ${name}`)
  expect(changed).toContain('add_columns index_version')
  expect(changed).toContain('create_table governance_act')
  await readAll(true)
  expect(await ask('upgrade', '--check')).toMatchObject({ ok: true, reversible: true, changes: [] })
  expect(await ask('audit')).toMatchObject({ ok: true })
})
