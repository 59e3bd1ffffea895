import { useEffect, useState } from 'preact/hooks'
import { html } from '../../html.ts'
import { fromHex } from '../../log/bytes.ts'
import { isEd25519 } from '../../log/signed-note.ts'

/** A text with the signature of a member; null: the service signs nothing. */
type SignedAct = {
  readonly public_key: string | null
  readonly signature: string | null
  readonly signed_text: string | null
}

const MARKS = {
  waiting: ['quiet', 'checking the signature …'],
  verified: ['is-verified', '✓ signature verified'],
  wrong: ['is-failed', '✗ signature does not verify'],
  unable: ['quiet', 'signature not checked: this browser cannot'],
  unsigned: ['quiet', 'the service signs nothing'],
} as const

/** Result of checking the signature of an act in this browser. */
export function SignatureMark({ act: { public_key, signature, signed_text } }: { act: SignedAct }) {
  const [state, setState] = useState<keyof typeof MARKS>('waiting')
  useEffect(() => {
    let is_shown = true
    checkSignature(public_key, signature, signed_text).then(
      (result) => is_shown && setState(result),
      () => is_shown && setState('unable'),
    )
    return () => {
      is_shown = false
    }
  }, [public_key, signature, signed_text])
  const [look, words] = MARKS[state]
  return html`<span class=${`mark ${look}`}>${words}</span>`
}

async function checkSignature(public_key: string | null, signature: string | null, text: string | null) {
  if (public_key === null || signature === null || text === null) return 'unsigned'
  const [key, bytes] = [fromHex(public_key), fromHex(signature)]
  return key !== null && bytes !== null && (await isEd25519(key, text, bytes)) ? 'verified' : 'wrong'
}
