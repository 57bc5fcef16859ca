import { Alert } from '@mantine/core'
import type { EndedNames } from '../../api/people/people.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  tokens: (names: string) => [
    `The change has ended the API tokens ${names}.`,
    `Die Änderung hat die API-Tokens ${names} beendet.`,
  ],
  invitations: (addresses: string) => [
    `The change has ended the invitations of ${addresses}.`,
    `Die Änderung hat die Einladungen von ${addresses} beendet.`,
  ],
  close: ['Close the note', 'Hinweis schließen'],
})

type Props = { readonly ended: EndedNames | undefined; readonly onClose: () => void }

/** Names what a smaller role or fewer groups have ended; nothing is shown if that is nothing. */
export function EndedNote({ ended, onClose }: Props) {
  const t = useTexts(texts)
  const { api_tokens: tokens = [], invitations = [] } = ended ?? {}
  if (tokens.length + invitations.length === 0) return null
  return (
    <Alert role="status" withCloseButton closeButtonLabel={t.close} onClose={onClose}>
      {tokens.length > 0 && <p>{t.tokens(tokens.join(', '))}</p>}
      {invitations.length > 0 && <p>{t.invitations(invitations.join(', '))}</p>}
    </Alert>
  )
}
