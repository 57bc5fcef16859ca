import { Paper } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { TextField } from '../../components/controls/fields.tsx'
import { OfferedServices } from '../../components/offered-services.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const typingMs = 200

const texts = defineTexts({
  find: ['Find a service', 'Dienst suchen'],
  about: [
    'Letters of its name, its description, a tag or its id. A solution adds it on its page.',
    'Buchstaben seines Namens, seiner Beschreibung, eines Tags oder seiner Kennung. Eine ' +
      'Lösung fügt ihn auf ihrer Seite hinzu.',
  ],
})

/** The services of solutions, of the business and of others that offer them to it. */
export function ServicesView() {
  const t = useTexts(texts)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingMs)
  return (
    <Paper withBorder p="md">
      <TextField
        label={t.find}
        description={t.about}
        value={typed}
        mb="xs"
        size="sm"
        onChange={setTyped}
      />
      <OfferedServices text={text} />
    </Paper>
  )
}
