/** How the browser came back from a sign-in provider. */
export type ProviderReturn = { readonly code: string } | { readonly error: string }

/** Returns what the address has behind `#`, and takes it out; undefined if it is nothing such. */
export function takeProviderReturn(): ProviderReturn | undefined {
  const [, kind, value = ''] = /^#(oidc|oidc-error)=(\w+)$/.exec(window.location.hash) ?? []
  if (kind === undefined) return undefined
  window.history.replaceState(null, '', window.location.pathname)
  return kind === 'oidc' ? { code: value } : { error: sentences[value] ?? otherwise }
}

const otherwise = 'The sign-in at the provider failed. Try again.'

const sentences: Readonly<Record<string, string>> = {
  forbidden: 'There is no user of the e-mail address with which you signed in there.',
  not_found: 'The sign-in took too long, or began in another browser. Try again.',
  overloaded: 'Too many sign-ins are under way. Try again.',
}
