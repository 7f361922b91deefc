import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/run",
  fullyParallel: true,
  workers: 2,
  timeout: 20_000,
  forbidOnly: true,
  reporter: [["line"]],
  use: {
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu"],
    },
  },
});
