import { openPayloadArchive } from '../../../connectors/archives/payloads/open-payload-archive.ts'
import { locateItem } from '../../../connectors/archives/payloads/payload-item.ts'
import { type PayloadKind, venuesOfKind } from '../../../connectors/archives/payloads/payload-kinds.ts'
import { ACCEPTED } from '../../../connectors/archives/payloads/recorded-form.ts'
import { isPayloadVenue } from '../../../pipelines/venues/payload-venues.ts'
import type { VenuePayload, VenueReader } from '../../../pipelines/venues/record.ts'
import { VENUE_READERS } from '../../../pipelines/venues/venue-readers.ts'
import { ReportTally } from '../import-report.ts'
import { RecordBuffer } from '../record-buffer.ts'
import { countRecords, type ExplainedFile, type ExplainOptions, type Found, type RecordCounts } from './explanation.ts'

/** Reads an archive of payloads with the readers of an import. */
export async function explainPayloads(
  kind: PayloadKind,
  { path, now, signal, zero_means_missing }: ExplainOptions,
): Promise<Found> {
  const archive = await openPayloadArchive(kind, path, now)
  const readers = new Map<string, VenueReader>(
    venuesOfKind(kind).map((venue_id) => [venue_id, VENUE_READERS[venue_id].create_reader(now, zero_means_missing)]),
  )
  const tally = new ReportTally()
  tally.addUnread(archive)
  const buffer = new RecordBuffer(Number.POSITIVE_INFINITY, tally.input)
  const endpoints = new Endpoints()
  const markets = new Set<string>()
  let records: RecordCounts | undefined
  const take = () => {
    const { content, items } = buffer.take()
    items.note({ stored: Array.from({ length: items.count }, (_, item) => item), conflicting: [] })
    items.settle()
    tally.addQuarantine(content.quarantine.map(locateItem))
    tally.addSpan(content)
    for (const { venue_id, source_market_id } of [...content.references, ...content.quotes])
      markets.add(`${venue_id} ${source_market_id}`)
    records = countRecords(content, records)
  }
  for await (const batch of archive.batches()) {
    signal?.throwIfAborted()
    tally.addUnread(batch)
    for (const payload of batch.payloads) {
      endpoints.add(payload)
      buffer.add(readers.get(payload.venue_id)!.read(payload), payload)
    }
    take()
  }
  for (const reader of readers.values()) buffer.add(reader.finish?.() ?? {})
  take()
  const files = [
    ...archive.files.map((file) => endpoints.explained(file, archive.forms.get(file) ?? '')),
    ...[...archive.ignored].map(({ file, rule }) => notRead(file, `ignored: ${rule}`)),
    ...archive.quarantine.map(({ file, reason }) => notRead(file, `quarantined: ${reason}`)),
  ]
  return {
    ...{ files, records: records!, markets: [...markets].sort(), venues: endpoints.venues(), mapping: [] },
    report: tally.report(kind, archive.files),
  }
}

function notRead(file: string, why: string): ExplainedFile {
  return { file, form: null, why, endpoints: [] }
}

/** Payloads by file, venue and endpoint. */
class Endpoints {
  readonly #files = new Map<string, Map<string, { venue_id: string; endpoint: string; payloads: number }>>()

  add({ file, venue_id, endpoint }: VenuePayload): void {
    const name = /^(.*):\d+$/s.exec(file)?.[1] ?? file
    const of_file = this.#files.get(name) ?? new Map()
    this.#files.set(name, of_file)
    const key = `${venue_id} ${endpoint}`
    const known = of_file.get(key) ?? { venue_id, endpoint, payloads: 0 }
    known.payloads += 1
    of_file.set(key, known)
  }

  venues(): readonly string[] {
    const all = [...this.#files.values()].flatMap((file) => [...file.values()])
    return [...new Set(all.map(({ venue_id }) => venue_id))].sort()
  }

  explained(file: string, form: string): ExplainedFile {
    const endpoints = [...(this.#files.get(file)?.values() ?? [])].sort((a, b) => b.payloads - a.payloads)
    return {
      ...{ file, form, why: endpoints.length === 0 ? 'no payload in it is known' : 'payloads are known by' },
      endpoints: endpoints.map((found) => ({ ...found, known_by: knownBy(found.venue_id, found.endpoint) })),
    }
  }
}

/** The features by which an endpoint's answers are known; of our own form, and of others only a request, its name. */
function knownBy(venue_id: string, endpoint: string): string {
  const shapes = isPayloadVenue(venue_id)
    ? ACCEPTED[venue_id].shapes.filter((shape) => shape.endpoint === endpoint)
    : []
  return shapes.length === 0 ? 'its name or request' : shapes.map(({ known_by }) => known_by).join('; or ')
}
