/**
 * Returns the path of a JSON pointer as messages show it: `/versions/0/roll` is `versions[0].roll`.
 * @param whole name of the whole document, for the empty pointer
 */
export function fieldPath(pointer: string, whole: string): string {
  const steps = pointer.split('/').slice(1)
  if (steps.length === 0) return whole
  return steps
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('')
    .replace(/^\./, '')
}
