import type { ContentDifference } from '../../pipelines/governance/content-differences.ts'
import type { Output } from '../../service/output.ts'

/** Prints where the content of a change differs from the record that it would replace. */
export async function printDifferences(output: Output, differences: readonly ContentDifference[]): Promise<void> {
  await output.table(
    ['path', 'before', 'after'],
    differences.map(({ path, before, after }) => [path, before, after]),
  )
}
