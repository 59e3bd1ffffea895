import { InvalidArgumentError, Option } from 'commander'
import type { LevelLine, ReplayLine } from '../../operations/replay/replay-index.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { legsText, ReasonTally } from '../../report/reason-tally.ts'
import type { Environment } from '../../service/configuration.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { csvLine } from '../csv.ts'
import { asOfOption, fromOption, instantOption, temporalOption, toOption, VERSION_TEXT } from '../options.ts'

type Options = {
  from: string
  to: string
  asOf?: string
  inForceFrom?: string
  format?: 'csv'
  report?: string
  levels?: true
  reasons?: true
  temporal?: true
  parts?: number
}

/** Keys of a replay line, in order. */
const KEYS = [
  'tick_at',
  'source_cutoff_at',
  'level',
  'quality_state',
  'coverage_ratio',
  'confidence',
  'missing_constituent_ids',
  'excluded_inputs',
  'input_observation_ids',
  'index_version',
] as const satisfies readonly (keyof ReplayLine)[]

type Keys = readonly (keyof ReplayLine)[]

type Line = LevelLine & Partial<ReplayLine>

/** `tidemark index replay`: recomputes levels as known at an instant, without publishing. */
export function replayCommand(context: CommandContext) {
  const command = defineCommand(
    'replay',
    'recompute the levels of [from, to) without publishing, from what was admitted at each tick and known at an instant',
    [
      'tidemark index replay draft.yaml --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z',
      'tidemark index replay idx_demo@1 --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --as-of 2026-01-17T00:00:00Z --json',
      'tidemark index replay idx_demo@2 --from 2026-01-01 --to 2026-02-01 --in-force-from 2026-01-01',
    ],
  )
    .argument('<index>', `a definition file or an index id, with @VERSION or without. ${VERSION_TEXT}`)
    .addOption(fromOption().makeOptionMandatory())
    .addOption(toOption().makeOptionMandatory())
    .addOption(asOfOption())
    .addOption(
      instantOption(
        '--in-force-from <instant>',
        'with @VERSION: from this instant on as if in force, although it began later; as index diff does from the start of its range',
      ),
    )
    .addOption(new Option('--format <format>', 'csv: one line per tick, lists as JSON').choices(['csv']))
    .addOption(
      new Option('--levels', 'only levels and states, without lists: fast over long ranges').conflicts('report'),
    )
    .addOption(
      new Option('--reasons', 'with --json or --format: why inputs are missing, partial or excluded').conflicts(
        'levels',
      ),
    )
    .addOption(temporalOption().conflicts(['report', 'levels', 'reasons', 'inForceFrom']))
    .addOption(
      new Option('--parts <n>', 'with --temporal: parts that workers replay at the same time (default: 1)').argParser(
        parseParts,
      ),
    )
    .option(
      '--report <file>',
      'also write an HTML report: level, states, coverage, contributions, weights, corrections, tables',
    )
  return onAction<Options>(command, context, (run) =>
    run.options.temporal === true ? replayThere(run, context.environment) : replayHere(run),
  )
}

/** Largest number of parts: each costs the marks of a carry time before it once more. */
const PARTS_MAX = 64

function parseParts(text: string): number {
  if (!/^[1-9]\d?$/.test(text) || +text > PARTS_MAX)
    throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${PARTS_MAX}.`)
  return +text
}

/** Replays through Temporal and reads the lines from the file that the worker wrote. */
async function replayThere(run: Invocation<Options>, environment: Environment): Promise<undefined> {
  const { replayThroughTemporal } = await import('../../service/temporal/replay-through-temporal.ts')
  const { args, options, output } = run
  const request = { target: args[0]!, from: options.from, to: options.to, as_of: options.asOf ?? null }
  const { parts = 1 } = options
  const lines = await replayThroughTemporal({ ...request, ...(parts > 1 && { parts }) }, { ...run, environment })
  if (lines !== null) await printLines(output, lines, options)
}

async function replayHere({ args, options, settings, output, signal }: Invocation<Options>): Promise<undefined> {
  if (options.parts !== undefined)
    throw notAllowed('VALIDATION_USAGE_INVALID', 'parts', String(options.parts), 'only with --temporal')
  const { replayIndex, replayLevels } = await import('../../operations/replay/replay-index.ts')
  const { from, to, asOf: as_of = null, inForceFrom: in_force_from = null } = options
  const request = { target: args[0]!, from, to, as_of, in_force_from, on_empty: (text: string) => output.note(text) }
  const progress = await output.progress('replay')
  const watch = { on_progress: progress.update, signal }
  await withWarehouse(settings, { create: false }, async (warehouse) => {
    if (options.levels) return printLines(output, replayLevels({ ...request, warehouse, signal }), options)
    if (options.report === undefined)
      return printLines(output, replayIndex({ ...request, warehouse, ...watch }), options)
    const { replayWithReport } = await import('../../report/replay-with-report.ts')
    const lines = replayWithReport({ ...request, warehouse, ...watch, file: options.report })
    await printLines(output, lines, options)
    output.note(`report written to ${options.report}`)
  }).finally(progress.finish)
}

async function printLines(
  output: Output,
  lines: AsyncIterable<Line>,
  { format, reasons }: Pick<Options, 'format' | 'reasons'>,
): Promise<void> {
  const keys: Keys = reasons ? [...KEYS, 'input_reasons'] : KEYS
  if (output.json) return printNdjson(output, lines, keys)
  if (format === 'csv') return printCsv(output, lines, keys)
  return printForPeople(output, lines)
}

async function printNdjson(output: Output, lines: AsyncIterable<Line>, wanted: Keys): Promise<void> {
  for await (const line of lines)
    await output.record(Object.fromEntries(keysOf(line, wanted).map((key) => [key, line[key]])))
}

async function printCsv(output: Output, lines: AsyncIterable<Line>, wanted: Keys): Promise<void> {
  let header = false
  for await (const line of lines) {
    const keys = keysOf(line, wanted)
    if (!header) await output.write(csvLine(keys))
    header = true
    await output.write(csvLine(keys.map((key) => line[key])))
  }
  if (!header) await output.write(csvLine(wanted))
}

/** Returns the keys of a line in their order. */
function keysOf(line: Line, wanted: Keys): Keys {
  return wanted.filter((key) => key in line)
}

async function printForPeople(output: Output, lines: AsyncIterable<Line>): Promise<void> {
  const rows: string[][] = []
  const tally = new ReasonTally()
  for await (const line of lines) {
    const missing = line.missing_constituent_ids
    const excluded = line.excluded_inputs
    for (const reason of line.input_reasons ?? []) tally.add(line.tick_at, reason)
    rows.push([
      line.tick_at,
      line.level ?? '-',
      line.quality_state,
      line.coverage_ratio,
      line.confidence,
      ...(missing === undefined ? [] : [String(missing.length)]),
      ...(excluded === undefined ? [] : [String(excluded.length)]),
      line.index_version,
    ])
  }
  const lists = rows[0]?.length === 6 ? [] : ['missing', 'excluded']
  await output.table(['tick', 'level', 'state', 'coverage', 'confidence', ...lists, 'version'], rows)
  const reasons = tally.rows()
  if (reasons.length > 0) await output.line('\nwhy inputs are missing, partial or kept out:')
  await output.table(
    ['constituent', 'input is', 'reason', 'ticks', 'first tick', 'last tick', 'last known', 'meaning', 'legs'],
    reasons.map((one) => [
      ...[one.constituent_id, one.state, one.reason_code, one.ticks, one.first_tick_at, one.last_tick_at],
      ...[one.known_at, one.reason, legsText(one)],
    ]),
  )
}
