/** Kinds of records that a diff of knowledge compares, in the order in which it lists them. */
export const KNOWLEDGE_SUBJECTS = ['index', 'index_version', 'constituent', 'rating', 'level'] as const
export type KnowledgeSubject = (typeof KNOWLEDGE_SUBJECTS)[number]

/** Change of a record between two instants: known at the later one only, known as another one, or in force no more. */
export const KNOWLEDGE_CHANGES = ['added', 'revised', 'removed'] as const
export type KnowledgeChangeKind = (typeof KNOWLEDGE_CHANGES)[number]
