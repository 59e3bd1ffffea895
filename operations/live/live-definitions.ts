import { decodeParameters, type Parameters as IndexParameters } from '../../pipelines/index/parameters.ts'
import type { Methodology } from '../../pipelines/index/version.ts'
import { methodologyOf } from '../../pipelines/index/version-record.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { type Decimal, parseDecimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Snapshot } from '../../warehouse/warehouse.ts'
import { inactiveSpans } from '../index/inactive-spans.ts'
import { indexOf, type PublishedIndex } from '../index/load-index.ts'
import { groupRows } from '../index/load-leg-data.ts'
import { DEFINING_TABLES } from '../index/plan-definition.ts'

const DEFINING: readonly string[] = DEFINING_TABLES
const LINKS: ReadonlyMap<string, Decimal> = new Map()

/** Indexes as published, and their links: read again only when their tables have new rows. */
export class LiveDefinitions {
  readonly #follows: (index_id: string) => boolean
  readonly #parameters = new Map<string, IndexParameters>()
  readonly #heads = new Map<string, Micros | null>()
  #indexes = new Map<string, { readonly index: PublishedIndex; readonly rows: string }>()
  #links = new Map<string, Map<string, Decimal>>()

  constructor(follows: (index_id: string) => boolean) {
    this.#follows = follows
  }

  /** The followed indexes by id: the same object while nothing about an index is new. */
  get indexes(): ReadonlyMap<string, PublishedIndex> {
    return new Map([...this.#indexes].map(([id, { index }]) => [id, index]))
  }

  /** Published K of each version of an index. */
  linksOf(index_id: string): ReadonlyMap<string, Decimal> {
    return this.#links.get(index_id) ?? LINKS
  }

  /** @param session opens what the snapshots show */
  async refresh(snapshots: readonly Snapshot[], session: () => Promise<ReadSession>): Promise<void> {
    const moved = snapshots.filter(({ table, head_stamp }) => this.#heads.get(table) !== head_stamp)
    if (moved.some(({ table }) => DEFINING.includes(table))) await this.#readIndexes(await session())
    if (moved.some(({ table }) => table === 'index_link')) await this.#readLinks(await session())
    for (const { table, head_stamp } of moved) this.#heads.set(table, head_stamp)
  }

  async #readIndexes(session: ReadSession): Promise<void> {
    const methodologies = new Map<string, Methodology>()
    for (const row of await session.query(readSql(import.meta.url, '../sql/methodologies.sql')))
      methodologies.set(`${row.methodology_id}@${row.version}`, this.#methodology(row))
    const versions = groupRows(await session.query(readSql(import.meta.url, 'sql/every_version.sql')), 'index_id')
    const inactive = await inactiveSpans(session)
    const indexes = new Map<string, { readonly index: PublishedIndex; readonly rows: string }>()
    for (const index_row of await session.query(readSql(import.meta.url, 'sql/every_index.sql'))) {
      const index_id = String(index_row.index_id)
      if (!this.#follows(index_id)) continue
      const version_rows = versions.get(index_id) ?? []
      const rows = JSON.stringify([index_row, version_rows.map((row) => row.index_version_id)])
      const known = this.#indexes.get(index_id)
      const facts = { methodologies, inactive: inactive.get(index_id) ?? [] }
      const index = known?.rows === rows ? known.index : indexOf(index_row, version_rows, facts)
      indexes.set(index_id, { index, rows })
    }
    this.#indexes = indexes
  }

  /** Equal parameters are one object, so that indexes which share a leg share its evaluation. */
  #methodology(row: Row): Methodology {
    const methodology = methodologyOf(row as unknown as Parameters<typeof methodologyOf>[0])
    const key = canonicalJson(methodology.texts)
    const parameters = this.#parameters.get(key) ?? decodeParameters(methodology.texts)
    this.#parameters.set(key, parameters)
    return { ...methodology, parameters }
  }

  async #readLinks(session: ReadSession): Promise<void> {
    const links = new Map<string, Map<string, Decimal>>()
    for (const row of await session.query(readSql(import.meta.url, 'sql/every_link.sql'))) {
      const of_index = links.get(String(row.index_id)) ?? new Map<string, Decimal>()
      of_index.set(String(row.index_version_id), parseDecimal(row.link_factor, 'link_factor'))
      links.set(String(row.index_id), of_index)
    }
    this.#links = links
  }
}
