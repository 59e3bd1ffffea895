import { ServiceError } from '../../primitives/errors.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { EXIT } from '../exit.ts'
import { count } from '../options.ts'
import { withWarehouse } from '../with-warehouse.ts'

type Options = { index?: string; all?: boolean }

/** `tidemark index verify`: recomputes published levels from public records alone; exit 1 names the first differing step. */
export function verifyCommand(context: CommandContext) {
  const command = defineCommand('verify', 'recompute published levels from public records only, to the last digit', [
    'tidemark index verify iob_0123456789abcdef0123456789abcdef',
    'tidemark index verify --index idx_demo',
    'tidemark index verify --all --json',
  ])
    .argument('[observation...]', 'observation ids')
    .option('--index <index>', 'every observation of this index')
    .option('--all', 'every observation of every index')
  return onAction<Options>(command, context, async ({ args, options, settings, output, signal }) => {
    const selection = selectionOf(args, options)
    const { verifyObservations } = await import('../../operations/verify-observations.ts')
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      verifyObservations({ ...selection, warehouse, signal }),
    )
    if (output.json) await output.document(report)
    else {
      await output.table(
        ['observation', 'first differing step', 'expected', 'actual'],
        report.failures.map((failure) => [failure.observation_id, failure.step, failure.expected, failure.actual]),
      )
      await output.line(`${count(report.reproduced)} of ${count(report.checked)} observations reproduced`)
    }
    return report.failures.length === 0 ? EXIT.done : EXIT.no
  })
}

function selectionOf(args: readonly string[], options: Options) {
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
