import { Group, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type ModuleDetails,
  readModule,
  readModuleDependants,
  refreshModule,
} from '../../api/modules.ts'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { Absent } from '../../components/missing-value.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useRead } from '../../ui/live-queries.ts'
import { useMay } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { translated } from '../../ui/translated-texts.ts'
import { FunctionsPane } from './functions-pane.tsx'
import { HealthPane } from './health-pane.tsx'
import styles from './marketplace.module.css'
import { ModuleForm } from './module-form.tsx'
import { NameList, RemoveModule } from './remove-module.tsx'
import { marketTexts } from './texts.ts'

const texts = defineTexts({
  refresh: ['Read it again', 'Neu einlesen'],
  links: ['Who uses it', 'Wer es nutzt'],
  noLinks: [
    'No link uses its functions. They are offered in the pipeline of each asset.',
    'Keine Verknüpfung nutzt seine Funktionen. Sie stehen in der Pipeline jeder Anlage bereit.',
  ],
  count: (count: number) => [
    `${count} ${count === 1 ? 'link' : 'links'}`,
    `${count} ${count === 1 ? 'Verknüpfung' : 'Verknüpfungen'}`,
  ],
})

const route = getRouteApi('/marketplace/modules/$module')

/** A module that the business uses: its condition, its configuration, its functions, its links. */
export function ModulePage() {
  const market = useTexts(marketTexts)
  const { module: id } = route.useParams()
  const module = useRead('module', readModule, [id])
  if (module.data !== undefined) return <Shown module={module.data} />
  return <Absent title={id} query={module} gone={market.gone} />
}

function Shown({ module }: { readonly module: ModuleDetails }) {
  const market = useTexts(marketTexts)
  const seesFunctions = useMay('Asset Management')
  const { id, name, url, info, listing } = module
  const description = translated(info.translations, 'description', info.description ?? '')
  return (
    <>
      <PageHead title={name}>
        {url === null ? <Badge tone="quiet" text={market.builtin} /> : <Actions module={module} />}
      </PageHead>
      {description !== '' && (
        <Text size="sm" mb="sm" className={styles.text}>
          {description}
        </Text>
      )}
      <div className={styles.stack}>
        {listing !== null && (
          <div className={`${styles.stack} ${styles.two}`}>
            <ModuleForm key={id} module={module} />
            <div className={styles.stack}>
              <HealthPane module={module} />
              <LinksPane module={id} />
            </div>
          </div>
        )}
        {seesFunctions && <FunctionsPane module={module} />}
      </div>
    </>
  )
}

function Actions({ module }: { readonly module: ModuleDetails }) {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const navigate = useNavigate()
  const [isRemoving, setRemoving] = useState(false)
  const { isBusy, error, run } = useChange<string>(refreshModule)
  return (
    <>
      <Group gap="xs">
        <Action text={t.refresh} icon="again" busy={isBusy} onClick={() => run(module.id)} />
        <Action text={market.remove} icon="bin" onClick={() => setRemoving(true)} />
      </Group>
      {error !== null && <Trouble error={error} />}
      {isRemoving && (
        <RemoveModule
          module={module}
          onCancel={() => setRemoving(false)}
          onDone={() => navigate({ to: '/marketplace/{-$view}', params: {} })}
        />
      )}
    </>
  )
}

function LinksPane({ module }: { readonly module: string }) {
  const t = useTexts(texts)
  const preview = useRead('module-dependants', readModuleDependants, [module])
  return (
    <Pane title={t.links} query={preview}>
      {({ dependants }) => {
        const links = dependants.find(({ kind }) => kind === 'links')
        if (links === undefined) return <NextStep>{t.noLinks}</NextStep>
        return (
          <>
            <Text size="sm">{t.count(links.count)}</Text>
            <NameList names={links.names} count={links.count} />
          </>
        )
      }}
    </Pane>
  )
}
