import { writeFile } from 'node:fs/promises'
import { Option } from 'commander'
import { driftSteps } from '../../pipelines/eligibility/drift-steps.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { instantOption } from '../options.ts'

type Options = { readonly out?: string; readonly effectiveFrom?: string; readonly notice?: string }

/** `tidemark governance drift INDEX`: drafts the version that removes constituents which are no longer eligible. */
export function driftCommand(context: CommandContext) {
  const command = defineCommand(
    'drift',
    'draft the version that removes constituents which are no longer eligible; nothing is recorded',
    [
      'tidemark governance drift idx_example --out draft.yaml',
      'tidemark governance drift idx_example --notice ntc_... --out draft.json',
    ],
  )
    .argument('<index>', 'id of the index')
    .addOption(new Option('--out <file>', 'new file for the definition, to be proposed (default: print it)'))
    .addOption(
      instantOption(
        '--effective-from <instant>',
        'start of the version (default: the earliest that its rules allow)',
        'future',
      ),
    )
    .addOption(
      new Option('--notice <id>', 'notice of kind drift: the draft that it published, byte by byte').conflicts(
        'effectiveFrom',
      ),
    )
  return onAction<Options>(command, context, async ({ args, options, settings, output }) => {
    const { draftOfDrift } = await import('../../operations/governance/draft-of-drift.ts')
    const { draftOfNotice } = await import('../../operations/notices/draft-of-notice.ts')
    const { notice: notice_id } = options
    const wish = { index_id: args[0]!, effective_from: options.effectiveFrom ?? null }
    const draft = await withWarehouse(settings, { create: false }, (warehouse) =>
      notice_id === undefined
        ? draftOfDrift(warehouse, wish)
        : draftOfNotice(warehouse, { index_id: wish.index_id, notice_id }),
    )
    if (options.out !== undefined) await writeDraft(options.out, draft.definition)
    if (output.json) return void (await output.document(draft))
    if (options.out === undefined) return void (await output.line(draft.definition.trimEnd()))
    for (const reason of draft.rationale) await output.line(reason)
    await output.line(`version ${draft.version} from ${draft.effective_from} is in ${options.out}; next:`)
    if (draft.earliest_effect_at !== null) await output.line(unmetLine(draft.earliest_effect_at))
    for (const step of driftSteps(options.out)) await output.line(step)
    await output.line('both impacts look back 90 days; give both the same --from INSTANT for another window')
  })
}

function unmetLine(earliest: string): string {
  return `its start cannot be met: a proposal made now takes effect at ${earliest} at the earliest; the index needs a longer data_lead`
}

async function writeDraft(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    const message = `out is ${file}, which cannot be written (${error.code}); allowed: a new file`
    throw new ServiceError('VALIDATION_INPUT_UNREADABLE', message, { field: 'out', file })
  })
}
