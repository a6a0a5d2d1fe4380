"""What a run of tada.spark does stage by stage, by Spark's own count: jobs, seconds, and what moves between machines."""

import time


class Shuffled:
    """Told about every step of a run, it knows which of Spark's stages belong to which of tada's. `cpu` gives the seconds of the processors so far."""

    def __init__(self, spark, cpu):
        self.store = spark.sparkContext._jsc.sc().statusStore()
        self.gateway = spark.sparkContext._gateway
        self.cpu = cpu
        self.begins = []  # of each of tada's stages its name, the first of Spark's stages and jobs, the time and the processors' seconds
        self.levels = 0

    def listen(self, stage, done, total, words):
        if not self.begins or self.begins[-1][0] != stage:
            self.begins.append((stage, *self._now()))
        self.levels += stage == "levels" and words.startswith("level ")

    def _now(self):
        return len(self._stages()), self.store.jobsList(None).size(), time.monotonic(), self.cpu()

    def _stages(self):
        none = self.gateway.jvm.java.util.ArrayList()
        quantiles = self.gateway.new_array(self.gateway.jvm.double, 0)
        listed = self.store.stageList(none, False, False, quantiles, none)
        return sorted((listed.apply(i) for i in range(listed.size())), key=lambda stage: stage.stageId())

    def by_stage(self):
        """Of each of tada's stages: Spark's jobs, seconds, seconds of the processors, and the rows and bytes that were written for a shuffle."""
        found = {}
        stages = self._stages()
        ends = [*self.begins[1:], ("", *self._now())]
        for (name, *begin), (_, *end) in zip(self.begins, ends, strict=True):
            moved = stages[begin[0] : end[0]]
            found[name] = {
                "jobs": end[1] - begin[1],
                "seconds": round(end[2] - begin[2], 1),
                "cpu": round(end[3] - begin[3], 1),
                "rows": sum(stage.shuffleWriteRecords() for stage in moved),
                "bytes": sum(stage.shuffleWriteBytes() for stage in moved),
            }
        return found
