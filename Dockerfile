# The whole service as one image. Web, worker, beat and commands differ by the command alone (compose.yaml).
FROM python:3.11-slim-bookworm AS build
COPY requirements.lock /build/
RUN python -m venv /opt/compliance \
    && /opt/compliance/bin/pip install --no-cache-dir --require-hashes --requirement /build/requirements.lock

FROM python:3.11-slim-bookworm
# A number, so that it is the same account in every container that shares a volume.
RUN useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin compliance \
    && install --directory --owner compliance --mode 0700 /var/lib/compliance \
        /var/lib/compliance/releases /var/lib/compliance/spool
COPY --from=build /opt/compliance /opt/compliance
COPY . /app
WORKDIR /app
USER 10001
ENV PATH=/opt/compliance/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    BIND=0.0.0.0:8000 \
    DATA_DIR=/var/lib/compliance
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["python", "-m", "compliance.services.serve"]
