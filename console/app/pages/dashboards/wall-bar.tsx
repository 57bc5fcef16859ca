import { Button, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './dashboards.module.css'

const texts = defineTexts({
  leave: ['Leave full screen', 'Vollbild verlassen'],
  fill: ['Fill the screen', 'Bildschirm füllen'],
})

const route = getRouteApi('/dashboards/$dashboard')

/** Browsers refuse it to what no person did, and then the page fills its window only. */
export async function openFullscreen(): Promise<void> {
  await document.documentElement.requestFullscreen?.().catch(() => undefined)
}

/** The name of a dashboard on a wall, and the way back, which shows when it is pointed at. */
export function WallBar({ name }: { readonly name: string }) {
  const t = useTexts(texts)
  const navigate = route.useNavigate()
  useEffect(() => {
    document.title = `${name} · Millrace`
  }, [name])
  useEffect(() => {
    const left = () => {
      if (document.fullscreenElement !== null) return
      void navigate({ search: (before) => ({ ...before, wall: undefined }) })
    }
    document.addEventListener('fullscreenchange', left)
    return () => document.removeEventListener('fullscreenchange', left)
  }, [navigate])
  const leave = async () => {
    if (document.fullscreenElement !== null) await document.exitFullscreen()
    await navigate({ search: (before) => ({ ...before, wall: undefined }) })
  }
  return (
    <div className={styles.bar}>
      <Title order={1} size="h4" className={styles.name}>
        {name}
      </Title>
      <span className={styles.ways}>
        <Button size="compact-sm" variant="default" onClick={openFullscreen}>
          {t.fill}
        </Button>
        <Button size="compact-sm" variant="default" onClick={leave}>
          {t.leave}
        </Button>
      </span>
    </div>
  )
}
