import { TABLE_FORMS } from '../../api/transparency/record-forms.ts'
import { proofInvalid } from '../../pipelines/transparency/proof-invalid.ts'
import { parseKey } from '../../pipelines/transparency/signed-note.ts'
import { type VerifiedLog, verifyLog } from '../../pipelines/transparency/verify-log.ts'
import type { TreeHead } from '../../pipelines/transparency/verify-tree.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { compareWithTables } from '../../warehouse/transparency/compare-with-tables.ts'
import { logPlace } from '../../warehouse/transparency/log-layout.ts'
import { openLogReader } from '../../warehouse/transparency/log-reader.ts'
import type { Settings } from '../configuration.ts'
import { withWarehouse } from '../with-warehouse.ts'

/**
 * Verifies the log of a warehouse, and that its entries are the rows that the warehouse has: none left out, added or changed.
 * @param vkey   verifier key; null: that of the log itself
 * @param heads  returns the heads that were seen before
 * @throws {ServiceError} LOG_NOT_FOUND, PROOF_INVALID
 */
export async function verifyStoredLog(
  settings: Settings,
  vkey: string | null,
  heads: (vkey: string) => Promise<readonly TreeHead[]>,
): Promise<VerifiedLog> {
  const log = openLogReader(logPlace(settings))
  const key_text = vkey ?? (await log.vkey())
  const checkpoint = await log.checkpoint()
  if (key_text === null || checkpoint === null) {
    throw new ServiceError('LOG_NOT_FOUND', `${settings.warehouse} has no log; allowed: a warehouse with one`)
  }
  const logged = new Map<string, number>()
  const verified = await verifyLog({
    source: { checkpoint: async () => checkpoint.text, tile: (address) => log.tile(address) },
    key: parseKey(key_text),
    seen: await heads(key_text),
    onEntry: ({ kind, record_id, published_at, row_sha256 }) => {
      const name = `${kind} ${record_id} ${published_at} ${row_sha256}`
      logged.set(name, (logged.get(name) ?? 0) + 1)
    },
  })
  const { last_seal } = verified
  if (last_seal === null) return verified
  const differing = await withWarehouse(settings, { create: false }, (warehouse) =>
    compareWithTables({ warehouse, forms: TABLE_FORMS, seal: last_seal, logged }),
  )
  if (differing === null) return verified
  throw proofInvalid('entry', differing.name, differing.allowed)
}
