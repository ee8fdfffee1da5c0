import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

const SERVICE = process.env.JUSTEVAL_SERVICE ?? 'http://127.0.0.1:8787'

// The page is written into the service's package, which serves it. Nothing is inlined: the
// service's content policy allows scripts and styles from its own files alone.
export default defineConfig({
  plugins: [vue()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    outDir: '../api/justeval_api/_web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: { '/api': SERVICE, '/docs': SERVICE } },
  test: { environment: 'happy-dom', include: ['tests/**/*.test.ts'] },
})
