export type MediaType = 'application/json' | 'application/graphql-response+json'

/**
 * Which of the two kinds of answer an `Accept` header asks for, as graphql-http reads it: the first
 * that fits. It has refused the request already where none does.
 */
export function negotiate(accept: string | undefined): MediaType {
  if (accept === undefined || accept === '*/*') return 'application/json'
  for (const range of accept.toLowerCase().split(',')) {
    const [type] = range.trim().split(';')
    if (type === 'application/graphql-response+json') return type
    if (type === 'application/json' || type === 'application/*' || type === '*/*') break
  }
  return 'application/json'
}
