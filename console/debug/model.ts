import { isServiceError } from '../../primitives/errors.ts'
import { ed25519Check, explainSignatures } from '../../protocol/signing/debug/explain-signature.ts'
import { readSent } from '../../protocol/signing/debug/read-sent.ts'
import type { ExplainedSignature } from '../../protocol/signing/debug/report.ts'

/** Entries of the form, as written. */
export type DebugForm = {
  readonly sent: string
  readonly environment: string
  readonly signed_text: string
  readonly public_key: string
  readonly server_time_ms: string
}

/** Signatures that were explained, or the sentence that says what cannot be read. */
export type Explained = { readonly signatures: readonly ExplainedSignature[]; readonly complaint: string | null }

/** Explains what was entered; nothing leaves the page. */
export function explainedForm(form: DebugForm): Explained {
  const { environment, public_key, server_time_ms } = form
  if (!/^\d{0,15}$/.test(server_time_ms)) return refused('Server time: Unix milliseconds, such as 1790000021934')
  // A text area ends the lines of a pasted text with LF alone, so the comparison is by LF here.
  const signed_text = form.signed_text === '' ? null : form.signed_text
  try {
    const check = public_key === '' ? null : ed25519Check(public_key)
    const time = server_time_ms === '' ? null : Number(server_time_ms)
    const signature_digits = check === null ? null : 128
    const facts = { environment, check, signature_digits, signed_text, server_time_ms: time } as const
    return { signatures: explainSignatures(readSent(form.sent), facts), complaint: null }
  } catch (error) {
    if (isServiceError(error)) return refused(error.message)
    throw error
  }
}

function refused(complaint: string): Explained {
  return { signatures: [], complaint }
}
