/** SHA-256 of docs/methodology/severity-1.md, the normative text; test/pipelines/severity/methodology.test.ts compares them. */
export const SEVERITY_TEXT_SHA256 = '0915d052bcbcee9f6136ad0af28e3664caf081e2e5f13f6dcc5a6ba51f247d96'
