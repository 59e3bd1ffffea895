import { element } from './elements.ts'
import { typedKey } from './key-form.ts'
import { keyFault, signedHeaders, type TypedKey } from './keys.ts'

type FollowFacts = { readonly topic: string; readonly is_private: boolean }

/** Most messages that are shown; the oldest are dropped. */
const MESSAGES_MAX = 50

/** Starts a form that follows a topic: messages are shown as they come, newest first. */
export function startFollowing(form: HTMLFormElement): void {
  const facts = JSON.parse(form.dataset.follow!) as FollowFacts
  const log = form.querySelector<HTMLElement>('.sent')!
  const stop = form.querySelector<HTMLButtonElement>('[data-stop]')!
  let socket: WebSocket | null = null
  const say = (text: string, kind: string): void => {
    log.prepend(element('pre', text, { class: kind, tabindex: '0' }))
    while (log.childElementCount > MESSAGES_MAX) log.lastElementChild!.remove()
  }
  stop.addEventListener('click', () => socket?.close())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const key = typedKey()
    const fault = facts.is_private ? keyFault(key) : null
    if (fault !== null) return say(fault, 'fault')
    socket?.close()
    socket = opened(form, facts, key, say)
    stop.disabled = false
    socket.addEventListener('close', ({ code, reason }) => {
      stop.disabled = true
      say(`closed ${code} ${reason}`.trim(), 'quiet')
    })
  })
}

function opened(
  form: HTMLFormElement,
  { topic, is_private }: FollowFacts,
  key: TypedKey,
  say: (text: string, kind: string) => void,
): WebSocket {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/v1/ws`)
  const send = (message: object): void => {
    const text = JSON.stringify(message)
    say(`→ ${text}`, 'sent-message')
    socket.send(text)
  }
  const filters = [...form.querySelectorAll<HTMLInputElement>('[data-in=filter]')]
    .map(({ name, value }) => [name, value.trim()])
    .filter(([, value]) => value !== '')
  const subscribe = (): void => send({ op: 'subscribe', id: '2', topic, ...Object.fromEntries(filters) })
  socket.addEventListener('open', () => {
    if (is_private) void authMessage(key).then(send)
    else subscribe()
  })
  socket.addEventListener('message', ({ data }) => {
    say(`← ${String(data)}`, 'received-message')
    const { type } = JSON.parse(String(data)) as { readonly type?: string }
    if (type === 'authenticated') subscribe()
  })
  return socket
}

/** Signs the message that authenticates a connection: a request with the method WS, without query and body. */
async function authMessage(key: TypedKey): Promise<object> {
  const headers = await signedHeaders({ method: 'WS', target: '/v1/ws', body: '' }, key)
  return {
    op: 'auth',
    id: '1',
    key_id: headers['SVC-Access-Key'],
    timestamp: headers['SVC-Access-Timestamp'],
    nonce: headers['SVC-Access-Nonce'],
    signature_version: headers['SVC-Access-Signature-Version'],
    signature: headers['SVC-Access-Signature'],
  }
}
