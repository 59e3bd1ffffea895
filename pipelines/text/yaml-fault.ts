/** Returns the end of a sentence about a file that is not YAML, from the library's error, whose further lines show an excerpt. */
export function yamlFault({ message }: { readonly message: string }): string {
  const [fault] = message.split('\n')
  return `is not YAML: ${fault!.replace(/:$/, '')}; allowed: YAML or JSON`
}
