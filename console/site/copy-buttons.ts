import { element } from './elements.ts'

/** Time for which a button says that it has copied, in milliseconds. */
const SAID_MS = 1500

/** Gives each code block of the page a button that copies it. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLPreElement>('main pre')) addCopyButton(block)
}

/** Puts the button beside a block. */
export function addCopyButton(block: HTMLPreElement): void {
  const around = element('div', '', { class: 'copied' })
  const button = element('button', 'Copy', { type: 'button', class: 'copy' })
  block.replaceWith(around)
  around.append(block, button)
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.textContent ?? '').then(
      () => say(button, 'Copied'),
      () => say(button, 'Not copied'),
    )
  })
}

function say(button: HTMLButtonElement, text: string): void {
  button.textContent = text
  setTimeout(() => {
    button.textContent = 'Copy'
  }, SAID_MS)
}
