import { expect, vi } from 'vitest'
import { compactWarehouse } from '../../../operations/upkeep/compact-warehouse.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { assertIsError } from '../../support/match-schema.ts'
import { serve } from '../acceptance/served.ts'

export type Served = Awaited<ReturnType<typeof serve>>
type Bytes = { readonly status: number; readonly data_text: string; readonly etag: string | null }

/** Returns the exact bytes of the answer to each path. */
export async function bytesOf(api: Served, paths: readonly string[]): Promise<Readonly<Record<string, Bytes>>> {
  const all: Record<string, Bytes> = {}
  for (const path of paths) {
    const { status, data_text, etag } = await api.get(path)
    all[path] = { status, data_text, etag }
  }
  return all
}

/** Expects the same bytes again now, after compaction, and from a service restarted an hour later. @returns that service */
export async function expectSameBytes(
  { api, root, warehouse }: { readonly api: Served; readonly root: string; readonly warehouse: Warehouse },
  first: Readonly<Record<string, Bytes>>,
): Promise<Served> {
  const paths = Object.keys(first)
  expect(await bytesOf(api, paths)).toEqual(first)
  await compactWarehouse({ warehouse, interval_rows_min: 1 })
  expect(await bytesOf(api, paths)).toEqual(first)
  await api.close()
  const anew = await anHourLater(() => serve(root))
  const { status, reason } = (await (await fetch(`${anew.base_url}/readyz`)).json()) as Row
  expect({ status, reason }).toEqual({ status: 'ok', reason: null })
  expect(await bytesOf(anew, paths)).toEqual(first)
  return anew
}

/** Runs it with a clock an hour ahead: every commit is then older than those that a start reads one by one. */
async function anHourLater<T>(run: () => Promise<T>): Promise<T> {
  const now = Date.now
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000)
  try {
    return await run()
  } finally {
    clock.mockRestore()
  }
}

/** Each path is refused with this status and code, and nothing is shown. */
export async function expectRefused(
  api: Served,
  cases: readonly (readonly [path: string, status: number, code: string])[],
): Promise<void> {
  for (const [path, status, code] of cases) {
    const { status: seen, body } = await api.get(path)
    expect([path, seen, body.error?.code]).toEqual([path, status, code])
    assertIsError(body)
  }
}
