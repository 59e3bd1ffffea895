/** Creates an element with a text and attributes. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.textContent = text
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  return made
}

/** Returns the text of an input of the page; '' where the page has none of this id. */
export function inputText(id: string): string {
  const found = document.getElementById(id) as HTMLInputElement | null
  return found === null ? '' : found.value.trim()
}
