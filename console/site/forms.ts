import { randomToken } from '../trading/signing/request-signature.ts'
import { addCopyButton } from './copy-buttons.ts'
import { element, inputText } from './elements.ts'
import { startFollowing } from './follow.ts'
import { fillFromReadyFile, typedKey } from './key-form.ts'
import { keyFault, signedHeaders, type TypedKey } from './keys.ts'
import { type FormFacts, filledBody, targetOf } from './try-request.ts'

/** Starts the forms of a page: they are hidden until their script is there. */
export function startForms(): void {
  fillFromReadyFile()
  for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
    form.hidden = false
    if (form.dataset.follow !== undefined) startFollowing(form)
    else startTrying(form)
  }
}

function startTrying(form: HTMLFormElement): void {
  const facts = JSON.parse(form.dataset.try!) as FormFacts
  const shown = form.querySelector<HTMLElement>('.sent')!
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form, facts).then(
      (parts) => shown.replaceChildren(...parts),
      (error: unknown) => shown.replaceChildren(element('p', messageOf(error), { class: 'fault' })),
    )
  })
}

/** Signs and sends the request of a form, and returns what is shown of it. */
async function send(form: HTMLFormElement, facts: FormFacts): Promise<readonly HTMLElement[]> {
  const key = typedKey()
  const fault = facts.scope === null ? null : keyFault(key)
  if (fault !== null) return [element('p', fault, { class: 'fault' })]
  const target = targetOf(facts.path, { path: inputsOf(form, 'path'), query: inputsOf(form, 'query') })
  const body = form.querySelector('#try-body') === null ? '' : await bodyOf(facts, key, inputsOf(form, 'path'))
  const { method } = facts
  const headers = {
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    ...(facts.idempotent ? { 'Idempotency-Key': randomToken() } : {}),
    ...(facts.scope === null ? {} : await signedHeaders({ method, target, body }, key)),
  }
  const answer = await fetch(target, { method, headers, credentials: 'omit', ...(body === '' ? {} : { body }) })
  const text = await answer.text()
  return [
    element('h3', 'Request'),
    textBlock(
      [`${method} ${location.origin}${target}`, ...linesOf(Object.entries(headers)), '', body].join('\n').trimEnd(),
    ),
    element('h3', `Answer ${answer.status}`),
    textBlock(linesOf([...answer.headers]).join('\n')),
    textBlock(prettyText(text)),
  ]
}

/** Returns the body of a form as it is sent: filled in, signed where an order or key is, without spaces. */
async function bodyOf(
  { signs, scopes }: FormFacts,
  key: TypedKey,
  path: Readonly<Record<string, string>>,
): Promise<string> {
  const given = JSON.parse(filledBody(inputText('try-body'), key, uniqueDigits)) as Record<string, unknown>
  if (signs === null || key.owner === '') return JSON.stringify(given)
  const { signBody } = await import('./sign-body.ts')
  return JSON.stringify(await signBody(given, signs, key, { scopes, path_key_id: path.key_id ?? '' }))
}

/** Returns 24 random digits, for ids and nonces. */
function uniqueDigits(): string {
  return [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte % 10).join('')
}

function inputsOf(form: HTMLFormElement, place: string): Readonly<Record<string, string>> {
  const inputs = [...form.querySelectorAll<HTMLInputElement>(`[data-in=${place}]`)]
  return Object.fromEntries(inputs.map(({ name, value }) => [name, value.trim()]))
}

function linesOf(headers: readonly (readonly [string, string])[]): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${value}`)
}

function prettyText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function textBlock(text: string): HTMLElement {
  const around = element('div')
  const block = element('pre', '', { tabindex: '0' })
  block.append(element('code', text))
  around.append(block)
  addCopyButton(block)
  return around
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
