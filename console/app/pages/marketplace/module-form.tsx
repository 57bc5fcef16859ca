import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { changeModule, type ModuleChange, type ModuleDetails } from '../../api/modules.ts'
import { Action } from '../../components/controls/action.tsx'
import { CheckField, TextField } from '../../components/controls/fields.tsx'
import { Form } from '../../components/controls/form.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
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
  safe: ['Simulations may call it', 'Simulationen dürfen es aufrufen'],
  safeHelp: [
    'It keeps nothing of its calls, and answers the same to the same.',
    'Es behält nichts von seinen Aufrufen und antwortet auf Gleiches gleich.',
  ],
  move: [
    'Links stay, all who use this listing follow. Another host needs the secrets again.',
    'Verknüpfungen bleiben, alle folgen. Ein anderer Host braucht Geheimnisse erneut.',
  ],
  owner: ['Its owner may move it.', 'Nur sein Eigentümer kann es verlegen.'],
  listing: ['Open its listing', 'Zum Angebot'],
})

/** The draft of a module, its faults, and its saving. */
function useModuleDraft(module: ModuleDetails) {
  const words = useFaultWords()
  const [name, setName] = useState(module.name)
  const [url, setUrl] = useState(module.url ?? '')
  const [isSafe, setSafe] = useState(module.simulationSafe)
  const [draft, setDraft] = useState(() => toDraft(module.parameters))
  const [isTried, setTried] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const { isBusy, error, run } = useChange<ModuleChange>((client, change) =>
    changeModule(client, module.id, change),
  )
  const mayMove = module.listing?.own === true
  const found = findFaults(module.parameters, draft, words)
  const submit = () => {
    setTried(true)
    setSaved(false)
    if (Object.keys(found).length > 0 || name.trim() === '') return
    const parameters = toValues(module.parameters, draft)
    const moved = mayMove && url !== module.url ? { url: url.trim() } : {}
    run({ name: name.trim(), parameters, simulationSafe: isSafe, ...moved }, () => {
      setSaved(true)
      // Secrets that were typed are not shown again.
      const secrets = module.parameters.filter(({ secret }) => secret).map((one) => [one.name, ''])
      setDraft((before) => ({ ...before, ...Object.fromEntries(secrets) }))
    })
  }
  return {
    ...{ name, setName, url, setUrl, isSafe, setSafe, draft, setDraft, mayMove, submit },
    faults: isTried ? found : {},
    nameFault: isTried && name.trim() === '' ? words.required : undefined,
    ...{ isBusy, error, isSaved: isSaved && !isBusy },
  }
}

/** Configures a module: its name, its parameters by their types, its host. */
export function ModuleForm({ module }: { readonly module: ModuleDetails }) {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const form = useModuleDraft(module)
  return (
    <Part title={market.parameters}>
      <Form onSubmit={form.submit} className={styles.form} noValidate>
        <TextField
          label={market.name}
          required
          value={form.name}
          error={form.nameFault}
          onChange={form.setName}
        />
        <ParameterFields
          parameters={module.parameters}
          draft={form.draft}
          faults={form.faults}
          onChange={form.setDraft}
        />
        <TextField
          label={market.served}
          description={form.mayMove ? t.move : t.owner}
          readOnly={!form.mayMove}
          value={form.url}
          onChange={form.setUrl}
        />
        <CheckField
          label={t.safe}
          description={t.safeHelp}
          checked={form.isSafe}
          onChange={form.setSafe}
        />
        {form.error !== null && <Trouble error={form.error} />}
        <Group gap="sm">
          <Action text={market.save} submit busy={form.isBusy} />
          <Text size="sm" role="status">
            {form.isSaved ? t.saved : ''}
          </Text>
          {module.listing !== null && (
            <PageLink
              to="/marketplace/listings/$listing"
              params={{ listing: module.listing.id }}
              text={t.listing}
            />
          )}
        </Group>
      </Form>
    </Part>
  )
}
