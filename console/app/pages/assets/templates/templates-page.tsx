import { useState } from 'react'
import type { ListedTemplate } from '../../../api/templates.ts'
import { Age } from '../../../components/age.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { PageLink } from '../../../components/controls/page-link.tsx'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { PageHead } from '../../../components/page-head.tsx'
import { Pane } from '../../../components/pane.tsx'
import { RowMenu } from '../../../components/row-menu.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useMay } from '../../../ui/session.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../assets.module.css'
import { MakeAssetsDialog } from './make-assets-dialog.tsx'
import { NewTemplateDialog } from './new-template-dialog.tsx'
import { RemoveTemplate } from './remove-template.tsx'
import { useMayTemplate, useTemplates } from './use-templates.ts'

const texts = defineTexts({
  title: ['Templates', 'Vorlagen'],
  add: ['New template', 'Neue Vorlage'],
  none: [
    'There is no template yet. A template has the signals and functions that each asset made ' +
      'of it gets; one is best made of an asset that works.',
    'Es gibt noch keine Vorlage. Eine Vorlage hat die Signale und Funktionen, die jede daraus ' +
      'angelegte Anlage bekommt; am besten entsteht sie aus einer Anlage, die läuft.',
  ],
  functions: ['Functions', 'Funktionen'],
  make: ['Make assets of it', 'Anlagen daraus anlegen'],
  edit: ['Edit', 'Bearbeiten'],
  remove: ['Delete', 'Löschen'],
  made: (count: number) => [
    `${count} ${count === 1 ? 'asset' : 'assets'}`,
    `${count} ${count === 1 ? 'Anlage' : 'Anlagen'}`,
  ],
  unmade: ['none yet', 'noch keine'],
})

type Opened = { readonly what: 'make' | 'remove'; readonly template: ListedTemplate }

/** The templates of assets, with how many assets were made of each. */
export function TemplatesPage() {
  const t = useTexts(texts)
  const templates = useTemplates()
  const mayChange = useMayTemplate()
  const mayMake = useMay('Asset Management')
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  return (
    <>
      <PageHead title={t.title}>
        {mayChange && <Action text={t.add} icon="plus" main onClick={() => setAdding(true)} />}
      </PageHead>
      <Pane title={t.title} query={templates}>
        {(found) =>
          found.length === 0 ? (
            <NextStep>{t.none}</NextStep>
          ) : (
            <Table
              heads={[
                t.name,
                t.signals,
                t.functions,
                t.assets,
                t.changed,
                ...(mayMake ? [t.actions] : []),
              ]}
              narrow="stacked"
            >
              {found.map((template) => (
                <Row key={template.id} {...{ template, mayChange, mayMake }} onOpen={setOpened} />
              ))}
            </Table>
          )
        }
      </Pane>
      {isAdding && <NewTemplateDialog onClose={() => setAdding(false)} />}
      {opened?.what === 'make' && <MakeAssetsDialog template={opened.template} onClose={close} />}
      {opened?.what === 'remove' && <RemoveTemplate template={opened.template} onClose={close} />}
    </>
  )
}

type RowProps = {
  readonly template: ListedTemplate
  readonly mayChange: boolean
  readonly mayMake: boolean
  readonly onOpen: (opened: Opened) => void
}

function Row({ template, mayChange, mayMake, onOpen }: RowProps) {
  const t = useTexts(texts)
  const { id, name, description, signals, links, assets, changed } = template
  const address = `/assets/templates/${encodeURIComponent(id)}`
  return (
    <tr>
      <td>
        <PageLink to={address} className={styles.name} text={name} />
        {description !== '' && <Faint>{description}</Faint>}
      </td>
      <td data-label={t.signals}>{signals}</td>
      <td data-label={t.functions}>{links}</td>
      <td data-label={t.assets}>
        {assets === 0 ? (
          t.unmade
        ) : (
          <PageLink to="/assets" search={{ template: id }} text={t.made(assets)} />
        )}
      </td>
      <td data-label={t.changed}>
        <Age at={changed} />
      </td>
      {mayMake && (
        <td>
          <RowMenu
            name={name}
            items={[
              [t.make, () => onOpen({ what: 'make', template })],
              mayChange && [t.edit, address],
              mayChange && [t.remove, () => onOpen({ what: 'remove', template })],
            ]}
          />
        </td>
      )}
    </tr>
  )
}
