import type { Performed } from '../../operations/review/perform-act.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import type { Output } from '../../service/output.ts'

/** Prints the records that acts published. */
export async function printPerformed(
  output: Output,
  subject: ReviewSubject,
  performed: readonly Performed[],
): Promise<void> {
  const { id_field, subject_field, grade_field } = subject
  await output.table(
    ['act', 'record', 'revision', subject_field, grade_field, 'state', 'from', 'to'],
    performed.flatMap(({ act_id, records }) =>
      records.map((row) => [
        act_id,
        String(row[id_field]),
        row.revision,
        String(row[subject_field]),
        String(row[grade_field]),
        row.review_state,
        String(row.effective_from),
        row.effective_to === null ? null : String(row.effective_to),
      ]),
    ),
  )
}
