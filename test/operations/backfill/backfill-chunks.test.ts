import { describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { backfillChunk } from '../../../operations/backfill/backfill-chunk.ts'
import { importPart } from '../../../operations/backfill/import-part.ts'
import { planBackfill } from '../../../operations/backfill/plan-backfill.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { VENUES, type VenueId } from '../../../simulator/world/options.ts'
import { openedWarehouses } from '../../support/opened-warehouses.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { FROM, portsOf, recordsOf, servePast, TO, WORLD } from './served-past.ts'

const folder = tempFolder()
const { running, warehouseAt: emptyWarehouse } = openedWarehouses(folder)
const TIMEOUT_MS = 300_000

/** Chunks of the other venues are compared with faults in backfill-faults.test.ts, in both lanes. */
const COMPARED = sized<readonly VenueId[]>(['polymarket'], VENUES)

describe.each(COMPARED)('a few days of %s', (venue_id) => {
  test(
    'chunk by chunk are the rows of the same range at once; the same again is nothing',
    async () => {
      const served = await servePast(venue_id, undefined, { ...WORLD, markets: sized(3, 6) })
      running.push(served)
      const request = { venue_id, from: FROM, to: TO, markets: null }

      const chunked = await emptyWarehouse(`${venue_id}-chunks`)
      const first = portsOf(served, chunked)
      running.unshift(first)
      const chunks = await planBackfill(request, first.ports)
      let added = 0
      for (const chunk of chunks) added += (await backfillChunk(chunk, first.ports)).records_new
      const rows = await recordsOf(chunked)
      expect(rows.public_trade!.length).toBeGreaterThan(sized(10, 50))
      expect(added).toBeGreaterThan(100)

      const again = portsOf(served, chunked)
      running.unshift(again)
      for (const chunk of await planBackfill(request, again.ports)) {
        expect(await backfillChunk(chunk, again.ports)).toMatchObject({ records_new: 0, records_revised: 0 })
      }
      expect(await recordsOf(chunked)).toEqual(rows)
      expect(await auditWarehouse({ warehouse: chunked })).toMatchObject({ violations: [] })

      const whole = await emptyWarehouse(`${venue_id}-whole`)
      const other = portsOf(served, whole)
      running.unshift(other)
      expect(await planBackfill(request, other.ports)).toEqual(chunks)
      const connector = other.ports.connectorOf(venue_id)
      const range = { from: toMicros(FROM), to: toMicros(TO) }
      const source_market_ids = [...new Set(chunks.map((chunk) => chunk.source_market_id))]
      async function* everything() {
        if (connector.described_first) yield* connector.read('catalogue', { ...range, source_market_ids })
        for (const part of ['trades', 'resolutions', 'history'] as const) {
          yield* connector.read(part, { ...range, source_market_ids })
        }
      }
      await importPart({ venue_id, items: everything(), range }, other.ports)
      expect(await recordsOf(whole)).toEqual(rows)
    },
    TIMEOUT_MS,
  )
})
