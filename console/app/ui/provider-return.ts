/** The way in which the browser came back from a sign-in provider. */
export type ProviderReturn =
  | { readonly code: string }
  | { readonly fault: (typeof faults)[number] | 'over' | 'providerFailed' }

/** Returns what the address has behind `#`, and takes it out; undefined if it is nothing such. */
export function takeProviderReturn(): ProviderReturn | undefined {
  const [, kind, value = ''] = /^#(oidc|oidc-error)=(\w+)$/.exec(window.location.hash) ?? []
  if (kind === undefined) return undefined
  window.history.replaceState(null, '', window.location.pathname)
  if (kind === 'oidc') return { code: value }
  return { fault: faults.find((fault) => fault === value) ?? 'providerFailed' }
}

const faults = ['forbidden', 'not_found', 'overloaded'] as const
