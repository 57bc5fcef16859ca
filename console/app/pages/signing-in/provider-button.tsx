import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Client } from '../../api/client.ts'
import { findProvider, type SignInProvider } from '../../api/people/providers.ts'
import { useTexts } from '../../ui/texts.ts'
import { signingInTexts } from './texts.ts'

type Props = { readonly client: Client }

/** Leads to the provider of the business that the address names, or of the only one. */
export function ProviderButton({ client }: Props) {
  const t = useTexts(signingInTexts)
  const [provider, setProvider] = useState<SignInProvider | null>(null)
  useEffect(() => {
    const business = new URLSearchParams(window.location.hash.slice(1)).get('business') ?? undefined
    // Without an answer one signs in by a password.
    findProvider(client, { business }).then(setProvider, () => setProvider(null))
  }, [client])
  if (provider === null) return null
  return (
    <Button component="a" href={provider.url} variant="default" fullWidth mt="md">
      {t.signInWith(provider.label)}
    </Button>
  )
}
