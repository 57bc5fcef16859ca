import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListingDetails } from '../../api/listings.ts'
import { addModule } from '../../api/modules.ts'
import { Action } from '../../components/controls/action.tsx'
import { TextField } from '../../components/controls/fields.tsx'
import { Form } from '../../components/controls/form.tsx'
import { Part } from '../../components/controls/part.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './marketplace.module.css'
import {
  findFaults,
  ParameterFields,
  toDraft,
  toValues,
  useFaultWords,
} from './parameter-fields.tsx'
import { marketTexts } from './texts.ts'

const texts = defineTexts({
  title: ['Use it', 'Nutzen'],
  intro: [
    'It is called once, to see that it answers. Its functions are then offered in pipelines.',
    'Es wird einmal aufgerufen, um zu sehen, ob es antwortet. Danach stehen seine Funktionen ' +
      'in Pipelines bereit.',
  ],
  nameHelp: ['Its own name if it is left empty.', 'Sein eigener Name, wenn leer.'],
  button: ['Use this module', 'Dieses Modul nutzen'],
})

/** Takes a listing into use, with the values of its parameters. */
export function UseForm({ listing: { id, parameters } }: { readonly listing: ListingDetails }) {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const words = useFaultWords()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [draft, setDraft] = useState(() => toDraft(parameters))
  const [isTried, setTried] = useState(false)
  const found = findFaults(parameters, draft, words)
  const { error, isBusy, run } = useChange<void>(async (client) => {
    const named = name.trim() === '' ? {} : { name: name.trim() }
    const values = toValues(parameters, draft)
    const module = await addModule(client, { listing: id, parameters: values, ...named })
    await navigate({ to: '/marketplace/modules/$module', params: { module: module.id } })
  })
  const send = () => {
    setTried(true)
    if (Object.keys(found).length === 0) run()
  }
  return (
    <Part title={t.title}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.intro}
      </Text>
      <Form onSubmit={send} className={styles.form} noValidate>
        <TextField label={market.name} description={t.nameHelp} value={name} onChange={setName} />
        <ParameterFields
          parameters={parameters}
          draft={draft}
          faults={isTried ? found : {}}
          onChange={setDraft}
        />
        {error !== null && <Trouble error={error} />}
        <div>
          <Action text={t.button} submit busy={isBusy} />
        </div>
      </Form>
    </Part>
  )
}
