import { useEffect, useRef } from 'preact/hooks'
import { type FocusPlace, type KeyAct, keyActOf } from '../data/ticket-keys.ts'

/** Calls `act` for the keys of the ticket while it is shown; `act` returns whether it did something, and the key is then used up. */
export function useTicketKeys(act: (key: KeyAct) => boolean): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const ending = new AbortController()
    const onKeyDown = (event: KeyboardEvent) => {
      const wanted = event.isComposing ? null : keyActOf(event, placeOf(event.target))
      if (wanted !== null && latest.current(wanted)) event.preventDefault()
    }
    addEventListener('keydown', onKeyDown, { signal: ending.signal })
    return () => ending.abort()
  }, [])
}

/** Input types whose letters and arrows mean something of their own, or nothing. */
const NO_TEXT = ['radio', 'checkbox', 'button', 'submit']

function placeOf(target: EventTarget | null): FocusPlace {
  if (!(target instanceof HTMLElement)) return 'other'
  if (target.id === 'limit_price') return 'price'
  const takes_text = target.matches('input, textarea, select') || target.isContentEditable
  return takes_text && !NO_TEXT.includes((target as HTMLInputElement).type) ? 'text' : 'other'
}
