import { type Command, InvalidArgumentError, type Option } from 'commander'
import type { TSchema } from 'typebox'
import type { TradingClient } from '../../client/trading/trading-client.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { readKeyFile } from '../doctor/read-key-file.ts'
import { asOfOption } from '../options.ts'
import { type RowFlags, withRowOptions } from '../trading/row-options.ts'

type Filter = Readonly<Record<string, string>>
type Flags = RowFlags & {
  readonly keyFile: string
  readonly baseUrl?: string
  readonly account?: string
  readonly filter?: Filter
  readonly asOf?: string
}

/** A list of an account: what it holds, its records, and the fields of each. */
type Records = {
  readonly name: string
  readonly summary: string
  readonly example: string
  readonly options: readonly Option[]
  readonly schema: () => Promise<TSchema>
  readonly read: (client: TradingClient, filter: Filter) => AsyncGenerator<object>
}

const RECORDS: readonly Records[] = [
  {
    name: 'statement',
    summary: "write an account's statement: every entry of the ledger with its cause, oldest first",
    example: '--as-of 2026-02-01T00:00:00Z --out statement.parquet',
    options: [asOfOption()],
    schema: async () => (await import('../../protocol/resources/statement-entry.ts')).StatementEntry,
    read: (client, filter) => client.statement(filter),
  },
  {
    name: 'orders',
    summary: "write an account's orders, newest first",
    example: '--filter market_id=mkt_sandbox_harbor --out orders.csv',
    options: [],
    schema: async () => (await import('../../protocol/resources/order.ts')).Order,
    read: (client, filter) => client.orders(filter),
  },
  {
    name: 'fills',
    summary: "write an account's fills, newest first",
    example: '--filter matched_after=2026-02-01T00:00:00Z matched_before=2026-03-01T00:00:00Z --out fills.parquet',
    options: [],
    schema: async () => (await import('../../protocol/resources/fill.ts')).Fill,
    read: (client, filter) => client.fills(filter),
  },
  {
    name: 'adjustments',
    summary: "write the adjustments of an account's fills",
    example: '--out adjustments.jsonl',
    options: [],
    schema: async () => (await import('../../protocol/resources/adjustment.ts')).Adjustment,
    read: (client, filter) => client.adjustments(filter),
  },
  {
    name: 'settlements',
    summary: "write an account's settlements with their attempts, last changed first",
    example: '--filter state=failed --json',
    options: [],
    schema: async () => (await import('../../protocol/resources/settlement.ts')).Settlement,
    read: (client, filter) => client.settlements(filter),
  },
]

/** `tidemark account statement|orders|fills|adjustments|settlements`: records of one account, read with its key. */
export function accountRecordCommands(): readonly ((context: CommandContext) => Command)[] {
  return RECORDS.map((records) => (context) => recordsCommand(context, records))
}

function recordsCommand(context: CommandContext, { name, summary, example, options, schema, read }: Records): Command {
  const command = defineCommand(name, summary, [`tidemark account ${name} --key-file ready.json ${example}`])
    .requiredOption('--key-file <file>', 'JSON with an API key, or the ready file of `tidemark up`')
    .option('--base-url <url>', 'address of the service (default: base_url of the key file)')
    .option('--account <id>', 'account of a ready file with several (default: the first)')
    .option('--filter <name=value...>', 'parameters of the list, as its operation has them', parseFilter)
  for (const option of options) command.addOption(option)
  return onAction<Flags>(withRowOptions(command), context, async ({ options: given, output, signal }) => {
    const { createTradingClient } = await import('../../client/trading/trading-client.ts')
    const { writeRows } = await import('../trading/write-rows.ts')
    const { base_url: stated, ...credentials } = readKeyFile(given.keyFile, `account ${name}`, given.account)
    const base_url = given.baseUrl ?? stated
    if (base_url === undefined) throw new ServiceError('VALIDATION_USAGE_INVALID', NO_ADDRESS)
    const client = createTradingClient({ ...credentials, base_url, signal })
    const filter = { ...given.filter, ...(given.asOf === undefined ? {} : { as_of: given.asOf }) }
    const rows = read(client, filter) as AsyncGenerator<Readonly<Record<string, unknown>>>
    await writeRows(rows, await schema(), { options: given, output, what: 'records' })
    return undefined
  })
}

const NO_ADDRESS = 'base-url is missing; allowed: the address of the service, or a key file with base_url'

function parseFilter(text: string, before: Filter = {}): Filter {
  const [, name, value] = /^([a-z_]+)=(.+)$/.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('Allowed: name=value, such as market_id=mkt_1.')
  return { ...before, [name]: value! }
}
