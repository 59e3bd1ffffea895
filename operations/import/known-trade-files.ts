import { readRows, type SharedDatabase } from '../../warehouse/duckdb/memory-database.ts'
import { dataRelation } from '../../warehouse/read/table-relations.ts'

/** Trades to look up: by the venue's id, and by their terms where another feed may have reported them under another id. */
type TradesAsked = {
  readonly source_trade_ids: readonly string[]
  readonly terms: TradeTerms
}

/** Terms of trades as columns of equal length. */
export type TradeTerms = {
  readonly outcome_ids: string[]
  readonly prices: string[]
  readonly quantities: string[]
}

/**
 * Index of the trades in each data file of `public_trade`. A venue's trade ids are unordered and a correction may move a trade's instant,
 * so statistics do not help: each file's ids and terms are read once, sixteen bytes a trade, and a batch then queries only the few files
 * that hold one of its trades.
 */
export type TradeFiles = {
  /** Returns the files that may hold a report of one of the trades; a hash collision may add a file. */
  holding(paths: readonly string[], asked: TradesAsked): Promise<ReadonlySet<string>>
}

/** Opens the index, kept in a table of `database`. */
export async function openTradeFiles({ connection }: Pick<SharedDatabase, 'connection'>): Promise<TradeFiles> {
  const known: string[] = []
  const places = new Map<string, number>()
  await connection.run('create table main.trade_file (trade_hash ubigint, terms_hash ubigint, place integer)')
  const learn = async (path: string) => {
    const ids = dataRelation('public_trade', [path])
    await connection.run(
      `insert into main.trade_file
       select hash(source_trade_id), ${TERMS_HASH}, ${known.length}
       from (select source_trade_id, outcome_id, price, quantity from ${ids})`,
    )
    places.set(path, known.length)
    known.push(path)
  }
  return {
    async holding(paths, { source_trade_ids, terms }) {
      for (const path of paths) if (!places.has(path)) await learn(path)
      const found = await readRows(connection, HOLDING, { source_trade_ids: [...new Set(source_trade_ids)], ...terms })
      const holding = new Set(found.map(({ place }) => known[place as number]!))
      return new Set(paths.filter((path) => holding.has(path)))
    },
  }
}

const TERMS_HASH = 'hash(outcome_id, price::decimal(18, 9), quantity::decimal(18, 6))'

const HOLDING = `
  select distinct place from main.trade_file
  where trade_hash in (select hash(unnest($source_trade_ids)))
    or terms_hash in (
      select ${TERMS_HASH}
      from (select unnest($outcome_ids) as outcome_id, unnest($prices) as price, unnest($quantities) as quantity)
    )`
