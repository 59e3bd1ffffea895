import type { VerifyReport } from '../../pipelines/index/verify.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { count } from '../../report/number-text.ts'
import type { Settings } from '../../service/configuration.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

type Options = { index?: string; all?: boolean; baseUrl?: string }

/** `tidemark index verify`: recomputes published levels from public records; exits 1 and names the first differing step. */
export function verifyCommand(context: CommandContext) {
  const command = defineCommand('verify', 'recompute published levels from public records only, to the last digit', [
    'tidemark index verify iob_0123456789abcdef0123456789abcdef',
    'tidemark index verify --index idx_demo',
    'tidemark index verify --all --json',
    'tidemark index verify --index idx_demo --base-url http://127.0.0.1:8080',
  ])
    .argument('[observation...]', 'observation ids')
    .option('--index <index>', 'all observations of this index')
    .option('--all', 'all observations of all indexes')
    .option('--base-url <url>', 'read only the public API of the service at this address, no warehouse')
  return onAction<Options>(command, context, async ({ args, options, settings, output, signal }) => {
    const selection = selectionOf(args, options)
    const report =
      options.baseUrl === undefined
        ? await verifyStored(selection, settings, signal)
        : await verifyServed(selection, options.baseUrl, output, signal)
    if (output.json) await output.document(report)
    else {
      await output.table(
        ['observation', 'first differing step', 'expected', 'actual'],
        report.failures.map((failure) => [failure.observation_id, failure.step, failure.expected, failure.actual]),
      )
      for (const { index_id, missing, expected, first_missing } of report.gaps)
        output.note(
          `${index_id}: ${count(missing)} of ${count(expected)} ticks have no level, the first at ${first_missing}`,
        )
      await output.line(`${count(report.reproduced)} of ${count(report.checked)} observations reproduced`)
    }
    return report.failures.length === 0 ? EXIT.done : EXIT.no
  })
}

type Selection = { readonly observation_ids?: readonly string[]; readonly index_id?: string }

async function verifyStored(selection: Selection, settings: Settings, signal: AbortSignal): Promise<VerifyReport> {
  const { verifyObservations } = await import('../../operations/index/verify-observations.ts')
  return withWarehouse(settings, { create: false }, (warehouse) =>
    verifyObservations({ ...selection, warehouse, signal }),
  )
}

/** Time between two notes of progress. */
const NOTE_EVERY_MS = 15_000

/** Verifies over HTTP. The time goes into the service's answers, one for each input, so progress and waits are noted. */
async function verifyServed(
  selection: Selection,
  base_url: string,
  output: Output,
  signal: AbortSignal,
): Promise<VerifyReport> {
  const { verifyOverHttp } = await import('../../client/verify/verify-over-http.ts')
  const bar = await output.progress('verify')
  let progress = { done: 0, total: 0 }
  let waited_for: string | null = null
  const noting = setInterval(() => {
    const cause =
      waited_for === null ? 'each input is a request to the service' : `the service makes it wait (${waited_for})`
    const checked = `${count(progress.done)} of ${count(progress.total)} observations checked`
    output.note(`${progress.total === 0 ? 'the list of observations is requested' : checked}; ${cause}`)
    waited_for = null
  }, NOTE_EVERY_MS)
  const on_progress = (made: typeof progress) => {
    progress = made
    bar.update(made)
  }
  const on_wait = (_wait_ms: number, code: string) => {
    waited_for = code
  }
  return verifyOverHttp({ ...selection, base_url, signal, on_progress, on_wait }).finally(() => {
    clearInterval(noting)
    bar.finish()
  })
}

function selectionOf(args: readonly string[], options: Options): Selection {
  const given = [args.length > 0, options.index !== undefined, options.all === true].filter(Boolean).length
  if (given !== 1) {
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `${given} selections are given; allowed: exactly one of observation ids, --index or --all`,
      { usage: 'tidemark index verify [options] [observation...]' },
    )
  }
  if (args.length > 0) return { observation_ids: args }
  return options.index === undefined ? {} : { index_id: options.index }
}
